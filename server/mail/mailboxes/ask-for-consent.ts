import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { OauthFailure } from '../../platform/gateways/oauth.ts'
import { ownAccount } from './accounts-of-user.ts'
import { addOauthRequest } from './grants-store.ts'
import { providerNamed, redirectUri, refusalOf } from './oauth-provider.ts'
import { mailboxesOf } from './store.ts'

/** How long a person may take to sign in and consent. */
const REQUEST_MS = 10 * 60_000

/**
 * Begins to connect a mailbox, or to connect one again, with the provider. The request is good once, for ten minutes and
 * for the caller's session.
 *
 * @returns the address of the provider's page
 * @throws Refusal 404 for an unknown provider or mailbox; 503 when the provider does not answer
 */
export async function askForConsent(
  context: Context,
  caller: Pick<Caller, 'id' | 'sessionId'>,
  providerId: string,
  mailboxId: number | null,
): Promise<{ url: string }> {
  const provider = providerNamed(context, providerId)
  const hint =
    mailboxId === null ? null : ownAccount(await mailboxesOf(context.db, caller.id), mailboxId).address
  try {
    const { url, secrets } = await context.oauth.askForConsent(provider, redirectUri(context), hint)
    const now = context.clock.now()
    const request = {
      user_id: caller.id,
      state_signature: stateSignature(context, secrets.state),
      session_id: caller.sessionId,
      provider: provider.id,
      mailbox_id: mailboxId,
      secrets_box: context.secrets.seal(JSON.stringify(secrets), placeOfSecrets(caller)),
      expires_at: new Date(now.getTime() + REQUEST_MS),
    }
    await inTransaction(context.db, (tx) => addOauthRequest(tx, request, now))
    return { url }
  } catch (error) {
    if (error instanceof OauthFailure) throw refusalOf(provider, error)
    throw error
  }
}

/** What is stored of a state: whoever reads the table cannot finish the request. */
export function stateSignature(context: Pick<Context, 'secrets'>, state: string): string {
  return context.secrets.sign(state, 'state of a request for consent')
}

/** What the secrets of a request are sealed for. */
export function placeOfSecrets(caller: Pick<Caller, 'id' | 'sessionId'>): string {
  return `request for consent:${caller.id}:${caller.sessionId}`
}
