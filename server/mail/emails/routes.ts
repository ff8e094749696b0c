import type { MailAction } from '#contract/mail/email-actions.ts'
import { ATTACHMENT_BYTES_MAX } from '#contract/mail/email-writing.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { writing, type WritingSettings } from '#contract/mail/writing.ts'
import { countMailed } from '../../crm/contacts/contacts.ts'
import { modelFor } from '../../models/language-models/language-models.ts'
import type { Context } from '../../platform/context.ts'
import { hangUp } from '../../platform/http/hang-up.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { withUploadedFile } from '../../platform/http/uploaded-file.ts'
import { isConfigured, primaryMailbox } from '../mailboxes/mailboxes.ts'
import { actOnEmail, actOnEmails, emptyTrash, starEmail } from './actions/act-on-emails.ts'
import { cancelEmail } from './compose/cancel-email.ts'
import { discardDraft } from './compose/discard-draft.ts'
import { resendEmail } from './compose/resend-email.ts'
import { saveDraft } from './compose/save-draft.ts'
import { sendEmail } from './compose/send-email.ts'
import { updateDraft } from './compose/update-draft.ts'
import { FRAME_HEADERS, frameHtml } from './content/frame.ts'
import { openEmail, trustSender } from './content/open-email.ts'
import { readAttachment } from './content/read-attachment.ts'
import { readSource } from './content/read-source.ts'
import { fileTooLarge, uploadFile } from './content/upload-file.ts'
import { removeUnsureReplies } from './intents/unsure-store.ts'
import { countEmails } from './list/count-emails.ts'
import { listEmails } from './list/list-emails.ts'
import { listThread } from './list/list-thread.ts'
import { changeWritingSettings, writingSettings } from './messages/writing-settings-store.ts'
import { presentDetail, presentEmail } from './present.ts'
import { previewFollowUp } from './replies/preview-follow-up.ts'
import { previewReply, repliedIntent } from './replies/preview-reply.ts'
import { replyToEmail } from './replies/reply-to-email.ts'
import { liftSuppressions, suppressContacts } from './suppressions/suppress-contacts.ts'
import { showSubscription, unsubscribe } from './suppressions/unsubscribe.ts'
import { checkInbox, ingestAll, tryAgain } from './sync/check-now.ts'

/** How many mails a page of a list has if the call does not say. */
const PAGE_SIZE_DEFAULT = 1000
const UPLOAD = { maxBytes: ATTACHMENT_BYTES_MAX, tooLarge: fileTooLarge }

/** All calls about mails. */
export function emailRoutes(app: Server): void {
  readingRoutes(app)
  actionRoutes(app)
  contentRoutes(app)
  composeRoutes(app)
  // The contacts' calls about mail: the contacts domain knows nothing of mails.
  serve(app, contacts.stopMailing, ({ context, user, body }) => suppressContacts(context, user, body))
  serve(app, contacts.liftMailing, ({ context, user, body }) => liftSuppressions(context, user, body))
  serve(app, emails.unsubscribePage, ({ context, params }) => showSubscription(context, params.token))
  serve(app, emails.unsubscribe, ({ context, params }) => unsubscribe(context, params.token))
}

/** The calls that show mails and fetch them from the account. */
function readingRoutes(app: Server): void {
  serve(app, emails.list, async ({ context, user, query, reply }) => {
    const pageSize = query.page_size ?? query.limit ?? PAGE_SIZE_DEFAULT
    const { rows, names, total, more, pending } = await listEmails(context, user.id, {
      folder: query.folder,
      filter: query.filter ?? 'all',
      mailboxId: query.mailbox ?? null,
      collapse: query.collapse === 'true',
      search: query.search ?? '',
      zone: query.timezone,
      page: query.page,
      pageSize,
      after: query.after ?? null,
    })
    if (more) void reply.header('X-More-Found', 'true')
    if (pending > 0) void reply.header('X-Not-Searchable-Yet', pending)
    const after = rows.at(-1)?.id
    return {
      rows: rows.map((row) => presentEmail(row, names)),
      total,
      page: query.page,
      pageSize,
      ...(after === undefined ? {} : { next: { after } }),
    }
  })
  serve(app, emails.counts, ({ context, user, query }) => countEmails(context.db, user.id, query.mailbox))
  serve(app, emails.get, async ({ context, user, params, reply }) =>
    presentDetail(context, await openEmail(context, user.id, params.id, hangUp(reply)), user),
  )
  serve(app, emails.thread, async ({ context, user, params }) => {
    const { rows, names } = await listThread(context.db, user.id, params.id)
    return rows.map((row) => presentEmail(row, names))
  })
  serve(app, emails.responseRate, async ({ context, user }) => {
    const { mailed, replied } = await countMailed(context.db, user.id)
    const percent = mailed === 0 ? 0 : Math.round((100 * replied) / mailed)
    return { responseRate: `${percent}%`, replied, mailed }
  })
  serve(app, emails.health, async ({ context, user }) => {
    const mailbox = await primaryMailbox(context.db, user.id)
    return { status: 'ok' as const, configured: isConfigured(mailbox) }
  })
  serve(app, emails.check, ({ context, user }) => checkInbox(context, user.id))
  serve(app, emails.ingest, ({ context, user }) => ingestAll(context, user.id))
}

/** The calls for actions on mails. */
function actionRoutes(app: Server): void {
  const one = (
    endpoint: (typeof emails)['archive' | 'trash' | 'deleteFromTrash' | 'markRead' | 'markUnread' | 'spam'],
    action: MailAction,
  ) =>
    serve(app, endpoint, async ({ context, user, params }) => {
      await actOnEmail(context, user.id, params.id, action)
      return { ok: true }
    })
  const back = (endpoint: (typeof emails)['unarchive' | 'restore'], action: MailAction) =>
    serve(app, endpoint, async ({ context, user, params }) => ({
      ok: true,
      restored_to: await actOnEmail(context, user.id, params.id, action),
    }))

  one(emails.archive, 'archive')
  one(emails.trash, 'trash')
  one(emails.deleteFromTrash, 'delete')
  one(emails.markRead, 'read')
  one(emails.markUnread, 'unread')
  one(emails.spam, 'spam')
  back(emails.unarchive, 'unarchive')
  back(emails.restore, 'restore')
  serve(app, emails.notSpam, async ({ context, user, body }) => ({
    ok: true,
    restored_to: await actOnEmail(context, user.id, body.email_id, 'not-spam'),
  }))
  serve(app, emails.star, async ({ context, user, params, body }) => ({
    ok: true,
    isStarred: await starEmail(context, user.id, params.id, body?.starred),
  }))
  serve(app, emails.emptyTrash, async ({ context, user }) => ({
    ok: true,
    deleted: await emptyTrash(context, user.id),
  }))
  serve(app, emails.tryAgain, async ({ context, user }) => {
    await tryAgain(context, user.id)
    return { ok: true }
  })
  serve(app, emails.act, async ({ context, user, body }) => ({
    ok: true,
    changed: await actOnEmails(context, user.id, body),
  }))
}

/** The calls for the content of one mail: HTML, attachments, source, trusted sender. */
function contentRoutes(app: Server): void {
  serve(app, emails.frame, async ({ context, params, query, reply }) => {
    const html = await frameHtml(context, params.id, query.key, query.remote === '1', hangUp(reply))
    await reply
      .headers(FRAME_HEADERS(query.remote === '1'))
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(html)
    return undefined
  })
  serve(app, emails.attachment, async ({ context, user, params, query, reply }) => {
    const file = await readAttachment(
      context,
      user.id,
      params.id,
      params.n,
      query.preview === 'true',
      hangUp(reply),
    )
    await reply.headers(file.headers).send(file.content)
    return undefined
  })
  serve(app, emails.source, async ({ context, user, params, reply }) => {
    const file = await readSource(context, user.id, params.id)
    await reply.headers(file.headers).send(file.content)
    return undefined
  })
  serve(app, emails.trustSender, async ({ context, user, params, body }) => {
    await trustSender(context, user.id, params.id, body.trusted)
    return { ok: true }
  })
}

/** The calls that write and send mails. */
function composeRoutes(app: Server): void {
  serve(app, emails.send, async ({ context, user, body }) => {
    const mail = presentEmail(await sendEmail(context, user, body))
    return { ...mail, intent: await repliedIntent(context, user.id, body) }
  })
  serve(app, emails.saveDraft, async ({ context, user, body }) =>
    presentEmail(await saveDraft(context, user.id, body)),
  )
  serve(app, emails.update, async ({ context, user, params, body }) =>
    presentEmail(await updateDraft(context, user, params.id, body)),
  )
  serve(app, emails.discard, async ({ context, user, params }) => {
    await discardDraft(context, user.id, params.id)
    return { ok: true }
  })
  serve(app, emails.cancel, async ({ context, user, params }) =>
    presentEmail(await cancelEmail(context, user.id, params.id)),
  )
  serve(app, emails.resend, async ({ context, user, params }) =>
    presentEmail(await resendEmail(context, user, params.id)),
  )
  serve(app, emails.upload, async ({ context, user, request }) => {
    const { id, name, type, size } = await withUploadedFile(request, UPLOAD, (file) =>
      uploadFile(context, user.id, file),
    )
    return { id, name, type, size, upload_id: id }
  })
  serve(app, emails.reply, async ({ context, user, body }) => {
    const { mail, intent, meetingId } = await replyToEmail(context, user, body)
    return { ...presentEmail(mail), intent, meeting_id: meetingId }
  })
  serve(app, emails.replyPreview, ({ context, user, body }) => previewReply(context, user, body))
  serve(app, emails.followUpPreview, ({ context, user, body }) =>
    previewFollowUp(context, user, body.to ?? ''),
  )
  serve(app, writing.settings, ({ context, user }) => presentSettings(context, user.id))
  serve(app, writing.saveSettings, async ({ context, user, body }) => {
    const given = Object.entries(body).filter(([, value]) => value !== undefined)
    await changeWritingSettings(context.db, user.id, Object.fromEntries(given))
    if (body.reads_replies === false) await removeUnsureReplies(context.db, user.id)
    return presentSettings(context, user.id)
  })
}

async function presentSettings(context: Context, userId: number): Promise<WritingSettings> {
  return {
    ...(await writingSettings(context.db, userId)),
    model_available: (await modelFor(context, userId)).available,
  }
}
