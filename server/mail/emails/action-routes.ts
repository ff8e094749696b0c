import type { MailAction } from '#contract/mail/email-actions.ts'
import { emails } from '#contract/mail/emails.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { actOnEmail, actOnEmails } from './actions/act-on-emails.ts'
import { emptyTrash } from './actions/empty-trash.ts'
import { starEmail } from './actions/flag-emails.ts'
import { tryAgain } from './sync/try-again.ts'

/** The calls for actions on mails. */
export function actionRoutes(app: Server): void {
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
