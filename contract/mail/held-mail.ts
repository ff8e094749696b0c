import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { instant } from '../platform/values.ts'

/** How many rows the list of waiting mail has at most; `total` counts all. */
export const HELD_MAX = 200

/** Something that is sent once the hold ends. */
export const heldMail = z.object({
  kind: z.enum(['email', 'payment_reminder']),
  /** The subject of an email; the number of the invoice that a reminder is about. */
  subject: z.string(),
  to: z.string(),
  due_at: instant,
  /** It was due before the restore: the Howl that the backup was taken from may have sent it. */
  may_have_left: z.boolean(),
})
export type HeldMail = z.output<typeof heldMail>

export const heldMails = {
  // Below /email-settings: the live topic of mailboxes makes it stale.
  list: endpoint({
    method: 'GET',
    path: '/email-settings/held',
    summary: `What waits to be sent since a backup was restored (the first ${HELD_MAX}); null where nothing is held`,
    reply: z.nullable(
      z.object({
        backup_taken_at: instant,
        restored_at: instant,
        total: z.number(),
        may_have_left: z.number(),
        /** Runs that the restore has paused. They stay paused until the user resumes them. */
        runs: z.number(),
        /** Recurring invoices that were due before the restore: the Howl that the backup was taken from may have made them. */
        recurring: z.number(),
        mails: z.array(heldMail),
      }),
    ),
  }),
  send: endpoint({
    method: 'POST',
    path: '/email-settings/held/send',
    summary: 'Send and read mail again after a backup was restored; `leave_out`: but not what may have left',
    body: z.object({ leave_out: z.boolean() }),
    reply: z.object({ ok: z.boolean() }),
  }),
}
