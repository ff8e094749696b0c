import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { type NewActivity, noteActivity } from '../../accounts/activities/activities.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { askForConsent } from './ask-for-consent.ts'
import { disconnect, disconnectAccount } from './disconnect.ts'
import { discover } from './discover.ts'
import { finishConsent } from './finish-consent.ts'
import { providerForServer } from './oauth-provider.ts'
import { usePracticeMailbox } from './practice-mailbox.ts'
import { accountSettingsOf, accountsOf, emailSettingsOf } from './present.ts'
import { addAccount, changeAccount, saveSettings } from './save-account.ts'
import { testSettings } from './test-settings.ts'
import { origin } from '../../platform/http/origin.ts'

export function mailboxRoutes(app: Server): void {
  serve(app, mailboxes.get, ({ context, user }) => emailSettingsOf(context, user.id))
  serve(app, mailboxes.accounts, ({ context, user }) => accountsOf(context, user.id))
  serve(app, mailboxSetup.addAccount, async ({ context, user, body, request }) => {
    const id = await addAccount(context, user.id, body)
    await noteChange(context, user, request, 'mailbox_connected', Object.keys(body))
    return accountSettingsOf(context, user.id, id)
  })
  serve(app, mailboxes.getAccount, ({ context, user, params }) =>
    accountSettingsOf(context, user.id, params.id),
  )
  serve(app, mailboxSetup.saveAccount, async ({ context, user, params, body, request }) => {
    await changeAccount(context, user.id, params.id, body)
    await noteChange(context, user, request, 'mail_settings_changed', Object.keys(body))
    return accountSettingsOf(context, user.id, params.id)
  })
  serve(app, mailboxSetup.removeAccount, async ({ context, user, params, request }) => {
    await disconnectAccount(context, user.id, params.id)
    await noteChange(context, user, request, 'mailbox_disconnected', ['disconnected'])
    return accountsOf(context, user.id)
  })
  serve(app, mailboxSetup.save, async ({ context, user, body, request }) => {
    await saveSettings(context, user.id, body)
    await noteChange(context, user, request, 'mail_settings_changed', Object.keys(body))
    return emailSettingsOf(context, user.id)
  })
  serve(app, mailboxSetup.remove, async ({ context, user, request }) => {
    await disconnect(context, user.id)
    await noteChange(context, user, request, 'mailbox_disconnected', ['disconnected'])
    return emailSettingsOf(context, user.id)
  })
  serve(app, mailboxSetup.test, ({ context, user, body: { account_id: accountId, ...fields } }) =>
    testSettings(context, user.id, fields, accountId),
  )
  serve(app, mailboxSetup.discover, async ({ context, query }) => {
    const proposal = await discover(query.email)
    return { ...proposal, oauth: providerForServer(context, proposal.smtp_host)?.name ?? null }
  })
  serve(app, mailboxSetup.practice, async ({ context, user, request }) => {
    await usePracticeMailbox(context, user)
    await noteChange(context, user, request, 'mail_settings_changed', ['practice'])
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
    await noteChange(context, user, request, 'mailbox_connected', ['oauth'])
    return connected
  })
}

/** Names of fields, without their values. */
async function noteChange(
  context: Context,
  user: { id: number },
  request: FastifyRequest,
  type: NewActivity['type'],
  fields: readonly string[],
): Promise<void> {
  const from = origin(request)
  logSecurity(context.log, { event: 'mail_settings_changed', fields }, user.id, from)
  await noteActivity(context, context.db, { type, user: user.id, origin: from, detail: fields.join(', ') })
}
