import { mailboxes } from '#contract/mailboxes.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { logSecurity } from '../security/security-log.ts'
import { disconnect } from './disconnect.ts'
import { discover } from './discover.ts'
import { emailSettingsOf, presentAccount } from './present.ts'
import { saveSettings } from './save-settings.ts'
import { mailboxesOf } from './store.ts'
import { testSettings } from './test-settings.ts'
import { usePracticeMailbox } from './use-practice-mailbox.ts'
import { origin } from '../http/origin.ts'

export function mailboxRoutes(app: Server): void {
  serve(app, mailboxes.get, ({ context, user }) => emailSettingsOf(context.db, user.id))
  serve(app, mailboxes.accounts, async ({ context, user }) =>
    (await mailboxesOf(context.db, user.id)).map(presentAccount),
  )
  serve(app, mailboxes.save, async ({ context, user, body, request }) => {
    await saveSettings(context, user.id, body)
    const event = { event: 'mail_settings_changed', fields: Object.keys(body) } as const
    logSecurity(context.log, event, user.id, origin(request))
    return emailSettingsOf(context.db, user.id)
  })
  serve(app, mailboxes.remove, async ({ context, user, request }) => {
    await disconnect(context, user.id)
    const event = { event: 'mail_settings_changed', fields: ['disconnected'] } as const
    logSecurity(context.log, event, user.id, origin(request))
    return emailSettingsOf(context.db, user.id)
  })
  serve(app, mailboxes.test, ({ context, user, body }) => testSettings(context, user.id, body))
  serve(app, mailboxes.discover, ({ query }) => discover(query.email))
  serve(app, mailboxes.practice, async ({ context, user, request }) => {
    await usePracticeMailbox(context, user)
    const event = { event: 'mail_settings_changed', fields: ['practice'] } as const
    logSecurity(context.log, event, user.id, origin(request))
    return emailSettingsOf(context.db, user.id)
  })
}
