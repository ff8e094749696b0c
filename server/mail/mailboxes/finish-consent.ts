import type * as z from 'zod/mini'
import type { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import type { Context } from '../../platform/context.ts'
import type { MailServer, OauthProvider } from '../../platform/config.ts'
import { invalidInput, Refusal } from '../../platform/errors.ts'
import { farWords } from '../../platform/gateways/far-words.ts'
import {
  OauthFailure,
  type OauthIdentity,
  type OauthSecrets,
  type OauthTokens,
} from '../../platform/gateways/oauth.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { AccountFields } from './account-fields.ts'
import { updateAccounts, ownAccount, ownAccounts } from './accounts-of-user.ts'
import { placeOfSecrets, stateSignature } from './ask-for-consent.ts'
import { discover } from './discover.ts'
import { sealToken } from './fresh-access-token.ts'
import {
  findGrant,
  type Grant,
  lockGrant,
  type OauthRequest,
  saveGrant,
  takeOauthRequest,
} from './grants-store.ts'
import { notifyChange } from './notify-change.ts'
import { EXPIRED, providerNamed, redirectUri, refusalOf } from './oauth-provider.ts'
import { placeForAccount } from './place-for-account.ts'
import { revokeConsent } from './revoke-grant.ts'
import { putAccount } from './save-account.ts'
import type { Mailbox } from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'

type Answer = z.output<NonNullable<typeof mailboxOauth.finish.body>>

/** The consent, as the issuer confirmed it. */
type Consent = {
  provider: OauthProvider
  tokens: OauthTokens
  refreshToken: string
  identity: OauthIdentity
  address: string
}

const refused = (words: string) => new Refusal(400, words, 'MAIL_SERVER')

/** Scopes that say who somebody is, or for how long; all others are about the mail. */
const NOT_ABOUT_MAIL = new Set(['openid', 'email', 'profile', 'offline_access'])

/**
 * Connects a mailbox with what the provider sent the browser back with: a new one, the one that the request was made for,
 * or the account of that address, which then no longer needs its password.
 *
 * @throws Refusal 400 for a request that is unknown, expired, used, or of another session, and for an answer that does not
 *   fit it; 409 when the user's plan has no room; 503 when the provider does not answer
 */
export async function finishConsent(
  context: Context,
  caller: Pick<Caller, 'id' | 'sessionId'>,
  answer: Answer,
): Promise<{ id: number; address: string; provider: string }> {
  const request = await takeOauthRequest(context.db, {
    userId: caller.id,
    sessionId: caller.sessionId,
    stateSignature: stateSignature(context, answer.state),
    now: context.clock.now(),
  })
  if (request === undefined) throw invalidInput(EXPIRED)
  const consent = await readConsent(context, caller, request, answer)
  try {
    return await connect(context, caller, request, consent)
  } catch (error) {
    // A consent that nothing came of should not lie about at the provider.
    revokeConsent(context, consent.provider, consent.identity.subject, consent.refreshToken)
    throw error
  }
}

async function connect(
  context: Context,
  caller: Pick<Caller, 'id' | 'sessionId'>,
  request: OauthRequest,
  consent: Consent,
): Promise<{ id: number; address: string; provider: string }> {
  const servers = await serversFor(consent)
  return updateAccounts(context, caller.id, async (tx, all) => {
    const connected = await connectedBefore(tx, all, request, consent)
    const fields = { ...servers, address: connected?.address ?? consent.address }
    const row = connected ?? (await placeForAccount(context, tx, caller.id, all, fields))
    await lockGrant(tx, caller.id, row.id)
    await putGrant(context, tx, row, consent)
    const changes = {
      oauth_provider: consent.provider.id,
      smtp_password_box: null,
      imap_password_box: null,
    }
    await putAccount(context, tx, all, { row, fields, changes, makeDefault: false })
    const what = connected === undefined ? 'connected' : 'changed'
    await notifyChange(context, tx, caller.id, { address: fields.address, what })
    return { id: row.id, address: fields.address, provider: consent.provider.name }
  })
}

async function readConsent(
  context: Context,
  caller: Pick<Caller, 'id' | 'sessionId'>,
  request: OauthRequest,
  answer: Answer,
): Promise<Consent> {
  const provider = providerNamed(context, request.provider)
  const { state, code, iss, error, error_description } = answer
  if (error === 'access_denied')
    throw invalidInput('Howl was not allowed to use your mailbox, so nothing was connected.')
  if (error !== undefined || code === undefined) {
    const words = farWords(error_description ?? error ?? 'no code')
    throw invalidInput(`${provider.name} did not let you sign in (${words}). Nothing was connected.`)
  }
  const secrets = JSON.parse(
    context.secrets.open(request.secrets_box, placeOfSecrets(caller)),
  ) as OauthSecrets
  try {
    const { identity, ...tokens } = await context.oauth.redeem(
      provider,
      redirectUri(context),
      { state, code, iss },
      secrets,
    )
    const { refreshToken } = tokens
    refuseTooLittle(provider, tokens)
    if (refreshToken === null)
      throw refused(
        `${provider.name} gave no lasting permission, so nothing was connected. Please tell whoever runs Howl.`,
      )
    const address = [identity.email, identity.username].find((name) => name !== null && isEmailAddress(name))
    if (address === undefined || address === null)
      throw refused(`${provider.name} did not say which address this mailbox has, so nothing was connected.`)
    return { provider, tokens, refreshToken, identity, address }
  } catch (failure) {
    if (failure instanceof OauthFailure) {
      context.log.warn({ err: failure }, 'a mailbox could not be connected')
      throw refusalOf(provider, failure)
    }
    throw failure
  }
}

/** People can untick parts of what was asked for. */
function refuseTooLittle(provider: OauthProvider, { scopes }: OauthTokens): void {
  if (scopes === null) return
  const given = new Set(scopes.map((scope) => scope.toLowerCase()))
  const isComplete = provider.scopes
    .filter((scope) => !NOT_ABOUT_MAIL.has(scope))
    .every((scope) => given.has(scope.toLowerCase()))
  if (!isComplete)
    throw invalidInput(
      'Howl has to be allowed to read and to send your mail, so nothing was connected. Please try again and allow both.',
    )
}

/** The provider's servers; those of any other issuer are looked up by the address. */
async function serversFor({ provider, identity, address }: Consent): Promise<Omit<AccountFields, 'address'>> {
  // Microsoft knows people by their user name, which need not be their address.
  const username = provider.id === 'microsoft' ? (identity.username ?? address) : address
  const found = provider.smtp === null || provider.imap === null ? await discover(address) : null
  const smtp = provider.smtp ?? serverOf(found?.smtp_host, found?.smtp_port, found?.smtp_use_tls)
  const imap = provider.imap ?? serverOf(found?.imap_host, found?.imap_port, found?.imap_use_ssl)
  if (smtp === null)
    throw refused(
      `Howl does not know the mail servers of ${address}, so nothing was connected. Please tell whoever runs Howl.`,
    )
  return {
    smtp_host: smtp.host,
    smtp_port: smtp.port,
    smtp_username: username,
    smtp_use_tls: smtp.useTls,
    imap_host: imap?.host ?? '',
    imap_port: imap?.port ?? null,
    imap_username: imap === null ? '' : username,
    imap_use_ssl: imap?.useTls ?? true,
  }
}

function serverOf(
  host: string | null | undefined,
  port: number | null | undefined,
  useTls = true,
): MailServer | null {
  if (host === null || host === undefined || port === null || port === undefined) return null
  return { host, port, useTls }
}

/** The account that is connected again, or that signs in by OAuth 2 from now on. @throws Refusal 400 for another person's */
async function connectedBefore(
  tx: Tx,
  all: readonly Mailbox[],
  request: OauthRequest,
  consent: Consent,
): Promise<Mailbox | undefined> {
  const { identity, address } = consent
  const names = [address, identity.username ?? address].map((name) => name.toLowerCase())
  const isNamed = (row: Mailbox) =>
    names.includes(row.address.toLowerCase()) || names.includes(row.smtp_username.toLowerCase())
  if (request.mailbox_id === null) return ownAccounts(all).find((row) => isNamed(row))
  const row = ownAccount(all, request.mailbox_id)
  const before = await findGrant(tx, row.user_id, row.id)
  if (isNamed(row) || isSamePerson(before, consent)) return row
  throw invalidInput(
    `You signed in as ${address}, but this mailbox is ${row.address}. Please try again and sign in as ${row.address}.`,
  )
}

function isSamePerson(before: Grant | undefined, { provider, identity }: Consent): boolean {
  return before !== undefined && before.issuer === provider.issuer && before.subject === identity.subject
}

async function putGrant(context: Context, tx: Tx, row: Mailbox, consent: Consent): Promise<void> {
  const { provider, tokens, refreshToken, identity } = consent
  await saveGrant(tx, {
    user_id: row.user_id,
    mailbox_id: row.id,
    issuer: provider.issuer,
    client_id: provider.clientId,
    subject: identity.subject,
    refresh_token_box: sealToken(context, row, 'refresh', refreshToken),
    access_token_box: sealToken(context, row, 'access', tokens.accessToken),
    expires_at: tokens.expiresAt,
  })
}
