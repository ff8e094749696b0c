import { mailboxes } from '#contract/mailboxes.ts'
import { mailboxOauth } from '#contract/mailbox-oauth.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { logSecurity } from '../security/security-log.ts'
import { addAccount } from './add-account.ts'
import { askForConsent } from './ask-for-consent.ts'
import { changeAccount } from './change-account.ts'
import { disconnect, disconnectAccount } from './disconnect.ts'
import { discover } from './discover.ts'
import { finishConsent } from './finish-consent.ts'
import { providerForServer } from './oauth-provider.ts'
import { accountSettingsOf, accountsOf, emailSettingsOf } from './present.ts'
import { saveSettings } from './save-settings.ts'
import { testSettings } from './test-settings.ts'
import { usePracticeMailbox } from './use-practice-mailbox.ts'
import { origin } from '../http/origin.ts'

export function mailboxRoutes(app: Server): void {
  serve(app, mailboxes.get, ({ context, user }) => emailSettingsOf(context, user.id))
  serve(app, mailboxes.accounts, ({ context, user }) => accountsOf(context, user.id))
  serve(app, mailboxes.addAccount, async ({ context, user, body, request }) => {
    const id = await addAccount(context, user.id, body)
    const event = { event: 'mail_settings_changed', fields: Object.keys(body) } as const
    logSecurity(context.log, event, user.id, origin(request))
    return accountSettingsOf(context, user.id, id)
  })
  serve(app, mailboxes.getAccount, ({ context, user, params }) =>
    accountSettingsOf(context, user.id, params.id),
  )
  serve(app, mailboxes.saveAccount, async ({ context, user, params, body, request }) => {
    await changeAccount(context, user.id, params.id, body)
    const event = { event: 'mail_settings_changed', fields: Object.keys(body) } as const
    logSecurity(context.log, event, user.id, origin(request))
    return accountSettingsOf(context, user.id, params.id)
  })
  serve(app, mailboxes.removeAccount, async ({ context, user, params, request }) => {
    await disconnectAccount(context, user.id, params.id)
    const event = { event: 'mail_settings_changed', fields: ['disconnected'] } as const
    logSecurity(context.log, event, user.id, origin(request))
    return accountsOf(context, user.id)
  })
  serve(app, mailboxes.save, async ({ context, user, body, request }) => {
    await saveSettings(context, user.id, body)
    const event = { event: 'mail_settings_changed', fields: Object.keys(body) } as const
    logSecurity(context.log, event, user.id, origin(request))
    return emailSettingsOf(context, user.id)
  })
  serve(app, mailboxes.remove, async ({ context, user, request }) => {
    await disconnect(context, user.id)
    const event = { event: 'mail_settings_changed', fields: ['disconnected'] } as const
    logSecurity(context.log, event, user.id, origin(request))
    return emailSettingsOf(context, user.id)
  })
  serve(app, mailboxes.test, ({ context, user, body: { account_id: accountId, ...fields } }) =>
    testSettings(context, user.id, fields, accountId),
  )
  serve(app, mailboxes.discover, async ({ context, query }) => {
    const proposal = await discover(query.email)
    return { ...proposal, oauth: providerForServer(context, proposal.smtp_host)?.name ?? null }
  })
  serve(app, mailboxes.practice, async ({ context, user, request }) => {
    await usePracticeMailbox(context, user)
    const event = { event: 'mail_settings_changed', fields: ['practice'] } as const
    logSecurity(context.log, event, user.id, origin(request))
    return emailSettingsOf(context, user.id)
  })
  serve(app, mailboxOauth.providers, async ({ context }) =>
    context.oauth.providers.map(({ id, name }) => ({ id, name })),
  )
  serve(app, mailboxOauth.start, ({ context, user, body }) =>
    askForConsent(context, user, body.provider, body.mailbox_id ?? null),
  )
  serve(app, mailboxOauth.finish, async ({ context, user, body, request }) => {
    const connected = await finishConsent(context, user, body)
    const event = { event: 'mail_settings_changed', fields: ['oauth'] } as const
    logSecurity(context.log, event, user.id, origin(request))
    return connected
  })
}
