import type { Context } from '../../platform/context.ts'
import type { OauthProvider } from '../../platform/config.ts'
import { notFound, Refusal } from '../../platform/errors.ts'
import type { OauthFailure } from '../../platform/gateways/oauth.ts'
import type { Grant } from './grants-store.ts'

type WithOauth = Pick<Context, 'oauth'>

/** The provider's page sends the browser back to this page of ours. */
export function redirectUri(context: Pick<Context, 'config'>): string {
  return `${context.config.publicUrl}/connect-mailbox`
}

/** @throws Refusal 404 where the operator has not registered Howl with it */
export function providerNamed(context: WithOauth, id: string): OauthProvider {
  const provider = context.oauth.providers.find((each) => each.id === id)
  if (provider === undefined) throw notFound('Mailboxes cannot be connected like this here.')
  return provider
}

/** The provider that gave a grant; undefined where Howl is no longer registered with it, or registered anew. */
export function providerOfGrant(
  context: WithOauth,
  grant: Pick<Grant, 'issuer' | 'client_id'>,
): OauthProvider | undefined {
  return context.oauth.providers.find(
    ({ issuer, clientId }) => issuer === grant.issuer && clientId === grant.client_id,
  )
}

/** The provider by which mailboxes at this server are connected, if there is one. */
export function providerForServer(context: WithOauth, smtpHost: string | null): OauthProvider | undefined {
  if (smtpHost === null) return undefined
  const host = smtpHost.toLowerCase()
  return context.oauth.providers.find(
    ({ id, smtp }) => smtp?.host === host || OTHER_NAMES[id]?.includes(host),
  )
}

/** Servers of the same provider under other names, as the table of providers has them. */
const OTHER_NAMES: Record<string, string[]> = {
  microsoft: ['smtp-mail.outlook.com', 'smtp.outlook.com'],
  google: ['smtp.googlemail.com'],
}

/** What the user reads when the provider gave no tokens. */
export function refusalOf(provider: OauthProvider, { kind, words }: OauthFailure): Refusal {
  const said = words === '' ? '' : ` (${words})`
  switch (kind) {
    case 'withdrawn':
      return new Refusal(400, EXPIRED, 'INVALID_INPUT')
    case 'untrusted':
      return new Refusal(
        400,
        `The answer of ${provider.name} does not fit what Howl asked for, so nothing was connected. Please try again.`,
        'INVALID_INPUT',
      )
    case 'refused':
      return new Refusal(
        400,
        `${provider.name} does not let Howl sign in${said}. Please tell whoever runs Howl.`,
        'MAIL_SERVER',
      )
    default:
      return new Refusal(
        503,
        `${provider.name} does not answer as it should at the moment. Please try again in a few minutes.`,
        'UNAVAILABLE',
      )
  }
}

export const EXPIRED =
  'This sign-in has expired or was used already, so nothing was connected. Please try again.'
