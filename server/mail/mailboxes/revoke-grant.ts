import type { Context } from '../../platform/context.ts'
import type { OauthProvider } from '../../platform/config.ts'
import { openToken } from './fresh-access-token.ts'
import { type Grant, isConsentInUse } from './grants-store.ts'
import { providerOfGrant } from './oauth-provider.ts'

/** Ends a grant, which is deleted already, at its issuer too, as far as that can be done now. Waits for nothing. */
export function revokeGrant(context: Context, grant: Grant): void {
  const provider = providerOfGrant(context, grant)
  const token = openToken(context, grant, 'refresh')
  if (provider === undefined || token === null || grant.withdrawn_at !== null) return
  revokeConsent(context, provider, grant.subject, token)
}

/** Ends a consent at its provider, unless another mailbox lives on it. Waits for nothing. */
export function revokeConsent(
  context: Context,
  provider: OauthProvider,
  subject: string,
  refreshToken: string,
): void {
  const revoke = async () => {
    if (await isConsentInUse(context.db, { issuer: provider.issuer, subject })) return
    await context.oauth.revoke(provider, refreshToken)
  }
  revoke().catch((error: unknown) =>
    context.log.warn({ err: error }, 'a consent could not be ended at the provider'),
  )
}
