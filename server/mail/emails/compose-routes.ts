import { ATTACHMENT_BYTES_MAX } from '#contract/mail/email-writing.ts'
import { emails } from '#contract/mail/emails.ts'
import { writing, type WritingSettings } from '#contract/mail/writing.ts'
import type { Context } from '../../platform/context.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { modelFor } from '../../models/language-models/language-models.ts'
import { withUploadedFile } from '../../platform/http/uploaded-file.ts'
import { cancelEmail } from './compose/cancel-email.ts'
import { discardDraft } from './compose/discard-draft.ts'
import { removeUnsureReplies } from './intents/unsure-store.ts'
import { changeWritingSettings, writingSettings } from './messages/writing-settings-store.ts'
import { presentEmail } from './present.ts'
import { previewFollowUp } from './replies/preview-follow-up.ts'
import { repliedIntent, previewReply } from './replies/preview-reply.ts'
import { replyToEmail } from './replies/reply-to-email.ts'
import { resendEmail } from './compose/resend-email.ts'
import { saveDraft } from './compose/save-draft.ts'
import { sendEmail } from './compose/send-email.ts'
import { fileTooLarge, uploadFile } from './content/upload-file.ts'
import { updateDraft } from './compose/update-draft.ts'

const UPLOAD = { maxBytes: ATTACHMENT_BYTES_MAX, tooLarge: fileTooLarge }

/** The calls that write and send mails. */
export function composeRoutes(app: Server): void {
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
