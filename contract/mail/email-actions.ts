import * as z from 'zod/mini'
import { byId, done, folder } from './email.ts'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, id } from '../platform/values.ts'

/** Maximum number of mails per call. */
export const ACTION_IDS_MAX = 500

/** The folder a mail was restored to. */
const restored = z.object({ ok: z.boolean(), restored_to: folder })

export const MAIL_ACTIONS = [
  'read',
  'unread',
  'star',
  'unstar',
  'archive',
  'unarchive',
  'trash',
  'restore',
  'spam',
  'not-spam',
  'delete',
] as const
export const mailAction = z.enum(MAIL_ACTIONS)
export type MailAction = z.infer<typeof mailAction>

function onOne<Reply extends typeof done | typeof restored>(path: string, summary: string, reply: Reply) {
  return endpoint({
    method: 'POST',
    path,
    summary,
    params: byId,
    reply,
  })
}
const one = (path: string, summary: string) => onOne(path, summary, done)
const back = (path: string, summary: string) => onOne(path, summary, restored)

/** Actions on mails; the account's server follows on its own. Repeating one changes nothing more. */
export const emailActions = {
  archive: one('/emails/archive/:id', 'Archive a mail'),
  unarchive: back('/emails/unarchive/:id', 'Move a mail from the archive back to where it was'),
  trash: one('/emails/trash/:id', 'Move a mail to the trash'),
  restore: back('/emails/restore/:id', 'Move a mail from the trash back to where it was'),
  deleteFromTrash: one('/emails/delete-from-trash/:id', 'Delete a mail in the trash for good'),
  markRead: one('/emails/mark-read/:id', 'Mark a mail as read'),
  markUnread: one('/emails/mark-unread/:id', 'Mark a mail as unread'),
  spam: one('/emails/spam/:id', 'Move a mail to Spam'),
  notSpam: endpoint({
    method: 'POST',
    path: '/emails/not-spam',
    summary: 'Move a mail out of Spam',
    body: z.object({ email_id: id }),
    reply: restored,
  }),
  star: endpoint({
    method: 'POST',
    path: '/emails/star/:id',
    summary: 'Set or take off the star; without a body it is turned round',
    params: byId,
    body: z.optional(z.object({ starred: z.optional(z.boolean()) })),
    reply: z.object({ ok: z.boolean(), isStarred: z.boolean() }),
  }),
  emptyTrash: endpoint({
    method: 'POST',
    path: '/emails/empty-trash',
    summary: 'Delete everything in the trash for good',
    reply: z.object({ ok: z.boolean(), deleted: z.number() }),
  }),
  tryAgain: endpoint({
    method: 'POST',
    path: '/emails/try-again',
    summary: 'Read all accounts now, and try again whatever was put aside',
    reply: done,
  }),
  act: endpoint({
    method: 'POST',
    path: '/emails/actions',
    summary:
      'Do one thing with many mails; ids that are not there, or where it does not apply, are passed over',
    body: z.object({
      action: mailAction,
      ids: z
        .array(id)
        .check(
          z.minLength(1, 'Please choose some mails'),
          atMost(ACTION_IDS_MAX, 'At most 500 mails at once'),
        ),
      /** Also the mails that the inbox groups with these. */
      collapsed: z.optional(z.boolean()),
    }),
    reply: z.object({ ok: z.boolean(), changed: z.array(z.number()) }),
  }),
}
