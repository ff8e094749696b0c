import type { Context } from '../../platform/context.ts'
import type { OauthProvider } from '../../platform/config.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { NoAccessToken } from '../../platform/gateways/access-token.ts'
import { OauthFailure } from '../../platform/gateways/oauth.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'
import { changeGrant, endGrantTrouble, findGrant, type Grant, lockGrant } from './grants-store.ts'
import { providerOfGrant } from './oauth-provider.ts'
import { pauseSending, type Mailbox } from './store.ts'

const SECOND = 1000
/** A token is renewed this long before it ends: with an issuer that is away for less, nobody notices. */
const RENEW_EARLY_MS = 120 * SECOND
/** Waits after the first, second … renewal that the issuer did not answer. */
const BACKOFF_MS = [15, 30, 60, 120, 300].map((seconds) => seconds * SECOND)
/** Renewals at once in one process: each holds a connection to the database while the issuer thinks. */
const RENEWALS_MAX = 4
/** A mailbox whose owner has to act is not looked at more often than this; connecting it again ends the pause. */
const WITHDRAWN_PAUSE_MS = 30 * 60 * SECOND

type Place = Pick<Mailbox, 'user_id' | 'id'>

/** What came of looking: a token, or why there is none. `ended` is the trouble that a renewal has ended. */
type Found = { token: string; ended?: Grant } | { none: NoAccessToken }

/**
 * An access token for the mailbox that is still good, renewed if it is about to end or was `refused` by a server. All
 * processes together renew it once: whoever comes second waits and gets the new one.
 *
 * @throws NoAccessToken
 */
export async function freshAccessToken(context: Context, mailbox: Place, refused?: string): Promise<string> {
  const known = await findGrant(context.db, mailbox.user_id, mailbox.id)
  const ready = known === undefined ? undefined : tokenInHand(context, known, refused)
  const found = ready ?? (await renewOnce(context, mailbox, refused))
  if ('none' in found) throw found.none
  return found.token
}

/** The outcome that needs no renewal; undefined if the token has to be renewed. */
function tokenInHand(context: Context, grant: Grant, refused: string | undefined): Found | undefined {
  const now = context.clock.now().getTime()
  if (grant.withdrawn_at !== null) return { none: new NoAccessToken('withdrawn', grant.trouble ?? '') }
  const token = openToken(context, grant, 'access')
  const lasts = grant.expires_at.getTime() - now
  const waits = grant.retry_at !== null && grant.retry_at.getTime() > now
  if (token !== null && token !== refused && (lasts > RENEW_EARLY_MS || (waits && lasts > 0)))
    return { token }
  if (waits) return { none: new NoAccessToken('later', grant.trouble ?? '', grant.retry_at) }
  return undefined
}

/** Renews in this process once at a time for each mailbox, and for a few mailboxes at once. */
async function renewOnce(context: Context, mailbox: Place, refused: string | undefined): Promise<Found> {
  const { renewals } = context.memory
  const key = `${mailbox.user_id}/${mailbox.id}`
  for (;;) {
    const underWay = renewals.get(key)
    if (underWay === undefined && renewals.size < RENEWALS_MAX) break
    await (underWay ?? Promise.race(renewals.values())).catch(() => {})
  }
  const renewal = inTransaction(context.db, (tx) => renew(context, tx, mailbox, refused))
  renewals.set(key, renewal)
  const found = await renewal.finally(() => renewals.delete(key))
  // Only now that the new tokens are kept: the issuer may take each refresh token once.
  if ('ended' in found && found.ended !== undefined && (await endGrantTrouble(context.db, found.ended)))
    await context.live.publish(context.db, mailbox.user_id, { topic: 'mailboxes' })
  return found
}

async function renew(context: Context, tx: Tx, mailbox: Place, refused: string | undefined): Promise<Found> {
  const grant = await lockGrant(tx, mailbox.user_id, mailbox.id)
  if (grant === undefined) return { none: new NoAccessToken('withdrawn', 'This mailbox is not connected.') }
  // Another process may have been faster.
  const ready = tokenInHand(context, grant, refused)
  if (ready !== undefined) return ready
  const provider = providerOfGrant(context, grant)
  if (provider === undefined) return noteNotSetUp(context, tx, grant)
  const refreshToken = openToken(context, grant, 'refresh')
  if (refreshToken === null) return noteWithdrawn(context, tx, grant, provider, 'it cannot be read any more')
  try {
    const tokens = await context.oauth.refresh(provider, refreshToken)
    await changeGrant(tx, grant, {
      access_token_box: sealToken(context, mailbox, 'access', tokens.accessToken),
      expires_at: tokens.expiresAt,
      ...(tokens.refreshToken === null
        ? {}
        : { refresh_token_box: sealToken(context, mailbox, 'refresh', tokens.refreshToken) }),
      failures: 0,
      retry_at: null,
      trouble: null,
    })
    return { token: tokens.accessToken, ...(grant.trouble === null ? {} : { ended: grant }) }
  } catch (error) {
    if (!(error instanceof OauthFailure)) throw error
    if (error.kind === 'withdrawn') return noteWithdrawn(context, tx, grant, provider, error.words)
    return noteFailure(context, tx, grant, provider, error, refused)
  }
}

/** The issuer did not answer, or refuses Howl itself. A token that has not ended yet goes on being used. */
async function noteFailure(
  context: Context,
  tx: Tx,
  grant: Grant,
  provider: OauthProvider,
  failure: OauthFailure,
  refused: string | undefined,
): Promise<Found> {
  const trouble =
    failure.kind === 'down'
      ? `Signing in with ${provider.name} does not work at the moment. Howl tries again by itself, and your emails wait.`
      : `${provider.name} does not let Howl sign in${inBrackets(failure.words)}. Please tell whoever runs Howl. Your emails wait.`
  const wait = BACKOFF_MS[Math.min(grant.failures, BACKOFF_MS.length - 1)] ?? SECOND
  const retryAt = new Date(context.clock.now().getTime() + wait)
  context.log.warn({ err: failure, mailbox: grant.mailbox_id }, 'an access token could not be renewed')
  await changeGrant(tx, grant, { failures: grant.failures + 1, retry_at: retryAt, trouble })
  const token = openToken(context, grant, 'access')
  const isGood = token !== null && token !== refused && grant.expires_at > context.clock.now()
  return isGood ? { token } : { none: new NoAccessToken('later', trouble, retryAt) }
}

/** The operator took the provider out of the settings, or registered Howl anew: the old grant is of no use. */
async function noteNotSetUp(context: Context, tx: Tx, grant: Grant): Promise<Found> {
  const trouble = 'Howl is no longer registered with the provider of this mailbox. Please connect it again.'
  return withdraw(context, tx, grant, trouble)
}

async function noteWithdrawn(
  context: Context,
  tx: Tx,
  grant: Grant,
  provider: OauthProvider,
  words: string,
): Promise<Found> {
  const trouble = `${provider.name} no longer lets Howl use this mailbox${inBrackets(words)}. Please connect it again. Your emails wait until then.`
  return withdraw(context, tx, grant, trouble)
}

/** The mailbox waits for its owner, who is told on the page and by mail. */
async function withdraw(context: Context, tx: Tx, grant: Grant, trouble: string): Promise<Found> {
  const now = context.clock.now()
  await changeGrant(tx, grant, { withdrawn_at: now, trouble, failures: 0, retry_at: null })
  const until = new Date(now.getTime() + WITHDRAWN_PAUSE_MS)
  await pauseSending(tx, grant.user_id, grant.mailbox_id, until, trouble)
  await context.live.publish(tx, grant.user_id, { topic: 'mailboxes' })
  const user = await findUser(tx, grant.user_id)
  if (user !== undefined) {
    await queueSystemMail(context, tx, {
      to: user.email,
      ...writeSystemMail('Howl can no longer use one of your mailboxes', [
        trouble,
        { link: `${context.config.publicUrl}/profile`, label: 'Open Profile & Settings' },
      ]),
    })
  }
  return { none: new NoAccessToken('withdrawn', trouble) }
}

const inBrackets = (words: string) => (words === '' ? '' : ` (${words})`)

/** Seals a token for one mailbox; it can be opened only for the same. */
export function sealToken(
  context: Pick<Context, 'secrets'>,
  mailbox: Place,
  use: 'access' | 'refresh',
  token: string,
): string {
  return context.secrets.seal(token, `mailbox:${mailbox.user_id}:${mailbox.id}:${use} token`)
}

/** Null when the secret key is not the one that the token was sealed with. */
export function openToken(
  context: Pick<Context, 'secrets'>,
  grant: Grant,
  use: 'access' | 'refresh',
): string | null {
  const box = use === 'access' ? grant.access_token_box : grant.refresh_token_box
  try {
    return context.secrets.open(box, `mailbox:${grant.user_id}:${grant.mailbox_id}:${use} token`)
  } catch {
    return null
  }
}
