import type * as client from 'openid-client'
import type { Clock } from '#server/platform/clock.ts'
import type { OauthProvider } from '#server/platform/config.ts'
import { farWords } from './far-words.ts'
import { fetchForIssuer } from './oauth-fetch.ts'

/** An issuer answers in milliseconds; somebody, or mail, is waiting. */
const ANSWER_SECONDS = 15
/** What an issuer says about itself is asked for again after this time. */
const DESCRIPTION_MS = 60 * 60_000
/** RFC 6749 5.1 only recommends that the issuer says how long a token is good. */
const USUAL_LIFE_SECONDS = 60 * 60
/** Microsoft's tokens have up to 4 kB. */
const MAX_TOKEN_LENGTH = 16_000
/** A clock that moved by more than this needs a new description of the issuer: the library fixes the clock in it. */
const CLOCK_DRIFT_SECONDS = 5

/**
 * `withdrawn`: the grant is no longer good, the owner has to consent again · `down`: no answer, or none of use · `refused`:
 * the issuer refuses us, the owner can do nothing · `untrusted`: the answer is not the one to our request.
 */
export type OauthFailureKind = 'withdrawn' | 'down' | 'refused' | 'untrusted'

/** The issuer gave no tokens. `words` is what it said, fit to show; empty if it said nothing. */
export class OauthFailure extends Error {
  override readonly name = 'OauthFailure'
  readonly kind: OauthFailureKind
  readonly words: string

  constructor(kind: OauthFailureKind, words: string, cause?: unknown) {
    super(`${kind}: ${words}`, { cause })
    this.kind = kind
    this.words = words
  }
}

/** `refreshToken` is null where the issuer gave none: then the one in use stays good. */
export type OauthTokens = {
  accessToken: string
  refreshToken: string | null
  expiresAt: Date
  /** Null where it is what was asked for. */
  scopes: string[] | null
}

/** Who consented, as the issuer says. */
export type OauthIdentity = { subject: string; email: string | null; username: string | null }

/** What only the browser that asked for consent, and we, know of the request. */
export type OauthSecrets = { state: string; nonce: string; verifier: string }

/** What the browser brought back from the issuer. */
export type OauthAnswer = { state: string; code: string; iss?: string | undefined }

/** The OAuth 2 client of an installation. */
export type Oauth = ReturnType<typeof makeOauth>

/** The OAuth 2 client of this configuration; nothing is loaded or dialled before the first request. */
export function makeOauth(providers: readonly OauthProvider[], clock: Clock) {
  const known = new Map<string, { config: client.Configuration; skew: number; until: number }>()

  const discover = async (provider: OauthProvider, skew: number, checksSignatures: boolean) => {
    const library = await loadLibrary()
    const { issuer, clientId, clientSecret } = provider
    const options = {
      timeout: ANSWER_SECONDS,
      [library.customFetch]: fetchForIssuer(issuer),
      execute: [
        ...(issuer.startsWith('http:') ? [library.allowInsecureRequests] : []),
        ...(checksSignatures ? [library.enableNonRepudiationChecks] : []),
      ],
    }
    const metadata = { [library.clockSkew]: skew, client_secret: clientSecret }
    const auth: client.ClientAuth = (server, ...more) =>
      (takesOnlyBasic(server) ? library.ClientSecretBasic : library.ClientSecretPost)(clientSecret)(
        server,
        ...more,
      )
    return library.discovery(new URL(issuer), clientId, metadata, auth, options)
  }

  /** The issuer's description as it was a while ago. */
  const rememberedFor = async (provider: OauthProvider) => {
    const skew = skewOf(clock)
    const before = known.get(provider.issuer)
    const isFresh = before !== undefined && before.until > performance.now()
    if (isFresh && Math.abs(before.skew - skew) <= CLOCK_DRIFT_SECONDS) return before.config
    const config = await discover(provider, skew, false)
    known.set(provider.issuer, { config, skew, until: performance.now() + DESCRIPTION_MS })
    return config
  }

  return {
    providers,
    /** The address to send the browser to, and the secrets to keep until it comes back. @throws OauthFailure */
    askForConsent: async (provider: OauthProvider, redirectUri: string, loginHint: string | null) =>
      explained(async () => {
        const library = await loadLibrary()
        const secrets = {
          state: library.randomState(),
          nonce: library.randomNonce(),
          verifier: library.randomPKCECodeVerifier(),
        }
        const url = library.buildAuthorizationUrl(await rememberedFor(provider), {
          redirect_uri: redirectUri,
          scope: provider.scopes.join(' '),
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
          ...provider.parameters,
          ...(loginHint === null ? {} : { login_hint: loginHint }),
        })
        return { url: url.href, secrets }
      }),
    /** Exchanges the code for tokens (PKCE), and checks state, issuer, audience, nonce and signature. @throws OauthFailure */
    redeem: async (
      provider: OauthProvider,
      redirectUri: string,
      answer: OauthAnswer,
      secrets: OauthSecrets,
    ) =>
      explained(async (): Promise<OauthTokens & { identity: OauthIdentity }> => {
        const library = await loadLibrary()
        const config = await discover(provider, skewOf(clock), true)
        const current = new URL(redirectUri)
        for (const [name, value] of Object.entries(answer))
          if (value !== undefined) current.searchParams.set(name, value)
        const reply = await library.authorizationCodeGrant(config, current, {
          pkceCodeVerifier: secrets.verifier,
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          idTokenExpected: true,
        })
        const claims = reply.claims() ?? {}
        const subject = textClaim(claims, 'sub') ?? ''
        const identity = {
          subject,
          email: textClaim(claims, 'email'),
          username: textClaim(claims, 'preferred_username'),
        }
        if (identity.email === null && config.serverMetadata().userinfo_endpoint !== undefined) {
          const more = await library.fetchUserInfo(config, reply.access_token, subject).catch(() => ({}))
          identity.email = textClaim(more, 'email')
        }
        return { ...tokensOf(reply, clock), identity }
      }),
    /** @throws OauthFailure */
    refresh: async (provider: OauthProvider, refreshToken: string) =>
      explained(async () => {
        const library = await loadLibrary()
        const config = await rememberedFor(provider)
        return tokensOf(await library.refreshTokenGrant(config, refreshToken), clock)
      }),
    /** Ends a grant, where the issuer offers that. @throws OauthFailure */
    revoke: async (provider: OauthProvider, refreshToken: string) =>
      explained(async () => {
        const library = await loadLibrary()
        const config = await rememberedFor(provider)
        if (config.serverMetadata().revocation_endpoint === undefined) return
        await library.tokenRevocation(config, refreshToken, { token_type_hint: 'refresh_token' })
      }),
  }
}

/** Not needed where no mailbox signs in by OAuth 2. */
const loadLibrary = async () => import('openid-client')

/** The library's clock is the machine's; ours may be ahead of it. In whole seconds. */
function skewOf(clock: Clock): number {
  return Math.round((clock.now().getTime() - Date.now()) / 1000)
}

function takesOnlyBasic({ token_endpoint_auth_methods_supported: methods }: client.ServerMetadata): boolean {
  return methods !== undefined && !methods.includes('client_secret_post')
}

function textClaim(claims: object, name: string): string | null {
  const value = (claims as Record<string, unknown>)[name]
  return typeof value === 'string' && value.length <= 320 ? value : null
}

function tokensOf(
  reply: { access_token: string; refresh_token?: string; expires_in?: number; scope?: string },
  clock: Clock,
): OauthTokens {
  for (const token of [reply.access_token, reply.refresh_token ?? 'none'])
    // RFC 6749 A.12: visible characters. Anything else could break out of the line that carries it to a mail server.
    if (token.length > MAX_TOKEN_LENGTH || !/^[\x20-\x7e]+$/.test(token))
      throw new OauthFailure('down', 'The sign-in service gave something that is not a token')
  const seconds = reply.expires_in ?? USUAL_LIFE_SECONDS
  return {
    accessToken: reply.access_token,
    refreshToken: reply.refresh_token ?? null,
    expiresAt: new Date(clock.now().getTime() + seconds * 1000),
    scopes: reply.scope?.split(' ').filter((scope) => scope !== '') ?? null,
  }
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw oauthFailure(error)
  }
}

/** The owner can mend these by consenting again (RFC 6749 5.2, OpenID Connect Core 3.1.2.6). */
const WITHDRAWN = new Set(['invalid_grant', 'interaction_required', 'consent_required', 'login_required'])
const PASSING = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])
/** The library's codes for an answer that is whole, but not for us. */
const UNTRUSTED_CODES = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
])

type LibraryError = {
  code?: string
  status?: number
  error?: string
  error_description?: string
  message?: string
}

function oauthFailure(error: unknown): OauthFailure {
  if (error instanceof OauthFailure) return error
  const {
    code = '',
    status = 0,
    error: said,
    error_description,
    message = '',
  } = (error ?? {}) as LibraryError
  if (said !== undefined) {
    const words = farWords(error_description ?? said)
    if (WITHDRAWN.has(said)) return new OauthFailure('withdrawn', words, error)
    const passes = status >= 500 || status === 429 || PASSING.has(said)
    return new OauthFailure(passes ? 'down' : 'refused', words, error)
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return new OauthFailure('refused', '', error)
  // Of the answer that the browser brought: a state or an issuer that is not the expected one.
  const isForeign = UNTRUSTED_CODES.has(code) || /"(state|iss)"|signature/i.test(causesOf(error) + message)
  return new OauthFailure(isForeign ? 'untrusted' : 'down', '', error)
}

function causesOf(error: unknown): string {
  let text = ''
  let one: unknown = error
  for (let depth = 0; one instanceof Error && depth < 5; depth += 1) {
    text += ` ${one.message}`
    one = one.cause
  }
  return text
}
