import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Clock } from '#server/platform/clock.ts'

/** How the token endpoint misbehaves: nothing at all, HTML, ten megabytes, or an error of RFC 6749. */
export type TokenFault = 'hangs' | 'html' | 'huge' | { error: string; description?: string; status?: number }

/** What is wrong with the next id token. */
export type IdTokenFault = 'nonce' | 'audience' | 'issuer' | 'signature' | 'no address'

export type OauthIssuer = {
  url: string
  clientId: string
  clientSecret: string
  /** Who consents next; the address is also the user name at the mail servers. */
  person: string
  /** False: connections are cut before an answer, except those of mail servers that ask about a token. */
  isUp: boolean
  /** How long an answer of the token endpoint takes. */
  slowMs: number
  tokenFault: TokenFault | null
  idTokenFault: IdTokenFault | null
  /** The user presses Cancel instead. */
  refusesConsent: boolean
  /** Seconds that an access token is good. */
  tokenLife: number
  /** Renewals so far, by person; and the most that were under way at a time for one of them. */
  readonly refreshes: Map<string, number>
  readonly mostRefreshesAtOnce: number
  /** A refresh token was used a second time: two processes renewed with the same one. */
  readonly reused: number
  readonly revoked: string[]
  /** Follows the address that the browser is sent to, and gives the address that it is sent back to. */
  consent(url: string): Promise<URL>
  /** The person takes back the consent: no token of theirs is good any more. */
  withdraw(person: string): void
  /** The person of an access token that is good now. */
  personOf(accessToken: string): string | undefined
  stop(): Promise<void>
}

type Code = { person: string; nonce: string; challenge: string; redirectUri: string; scope: string }
type Grant = { person: string; scope: string; isUsed: boolean; isWithdrawn: boolean }

/**
 * An OpenID provider on a free loopback port, on the test's clock. It rotates refresh tokens and takes each of them once,
 * checks PKCE, tells Dovecot whether an access token is good, and misbehaves on demand.
 */
export async function startOauthIssuer(clock: Clock): Promise<OauthIssuer> {
  const codes = new Map<string, Code>()
  const grants = new Map<string, Grant>()
  const access = new Map<string, { grant: Grant; until: number }>()
  const underWay = new Map<string, number>()
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const stranger = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key', alg: 'RS256', use: 'sig' }
  let mostAtOnce = 0
  let reused = 0

  const seconds = () => Math.floor(clock.now().getTime() / 1000)
  const personOf = (token: string) => {
    const found = access.get(token)
    if (found === undefined || found.grant.isWithdrawn || found.until <= clock.now().getTime())
      return undefined
    return found.grant.person
  }

  const idToken = async ({ person, nonce }: Code): Promise<string> => {
    const fault = issuer.idTokenFault
    return new SignJWT({
      nonce: fault === 'nonce' ? 'another' : nonce,
      ...(fault === 'no address' ? {} : { email: person }),
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'key' })
      .setIssuer(fault === 'issuer' ? 'https://elsewhere.example' : issuer.url)
      .setAudience(fault === 'audience' ? 'another-client' : issuer.clientId)
      .setSubject(`id of ${person}`)
      .setIssuedAt(seconds())
      .setExpirationTime(seconds() + 300)
      .sign(fault === 'signature' ? stranger.privateKey : privateKey)
  }

  const tokensFor = (grant: Grant) => {
    const [accessToken, refreshToken] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    grants.set(refreshToken, { ...grant, isUsed: false })
    access.set(accessToken, {
      grant: grants.get(refreshToken) ?? grant,
      until: clock.now().getTime() + issuer.tokenLife * 1000,
    })
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: issuer.tokenLife,
      scope: grant.scope,
    }
  }

  const redeem = async (form: URLSearchParams) => {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code === undefined || challenge !== code.challenge || form.get('redirect_uri') !== code.redirectUri)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'This code is not good' } }
    const grant = { person: code.person, scope: code.scope, isUsed: false, isWithdrawn: false }
    return { status: 200, body: { ...tokensFor(grant), id_token: await idToken(code) } }
  }

  const refresh = (form: URLSearchParams) => {
    const grant = grants.get(form.get('refresh_token') ?? '')
    if (grant?.isUsed === true) reused += 1
    if (grant === undefined || grant.isWithdrawn || grant.isUsed)
      return { status: 400, body: { error: 'invalid_grant', error_description: 'The consent was withdrawn' } }
    grant.isUsed = true
    issuer.refreshes.set(grant.person, (issuer.refreshes.get(grant.person) ?? 0) + 1)
    return { status: 200, body: tokensFor({ ...grant, isUsed: false }) }
  }

  const token = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await textOf(request))
    const isRefresh = form.get('grant_type') === 'refresh_token'
    const person = grants.get(form.get('refresh_token') ?? '')?.person ?? ''
    if (isRefresh) underWay.set(person, (underWay.get(person) ?? 0) + 1)
    mostAtOnce = Math.max(mostAtOnce, ...underWay.values())
    try {
      if (issuer.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, issuer.slowMs))
      // It went down before it had answered.
      if (!issuer.isUp) return response.destroy()
      if (form.get('client_id') !== issuer.clientId || form.get('client_secret') !== issuer.clientSecret)
        return json(response, 401, { error: 'invalid_client' })
      const fault = issuer.tokenFault
      if (fault === 'hangs') return undefined
      if (fault === 'html')
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
      if (fault === 'huge') {
        response.writeHead(200, { 'content-type': 'application/json' })
        return response.end(`{"access_token":"${'x'.repeat(10_000_000)}"}`)
      }
      if (fault !== null) {
        const { error, description = error, status = 400 } = fault
        return json(response, status, { error, error_description: description })
      }
      const { status, body } = isRefresh ? refresh(form) : await redeem(form)
      return json(response, status, body)
    } finally {
      if (isRefresh) underWay.set(person, (underWay.get(person) ?? 1) - 1)
    }
  }

  const authorize = (url: URL, response: ServerResponse) => {
    const asked = url.searchParams
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('state', asked.get('state') ?? '')
    back.searchParams.set('iss', issuer.url)
    if (issuer.refusesConsent) {
      back.searchParams.set('error', 'access_denied')
      return response.writeHead(302, { location: back.href }).end()
    }
    const code = randomUUID()
    codes.set(code, {
      person: issuer.person,
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      redirectUri: asked.get('redirect_uri') ?? '',
      scope: asked.get('scope') ?? '',
    })
    back.searchParams.set('code', code)
    return response.writeHead(302, { location: back.href }).end()
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const url = new URL(request.url ?? '/', issuer.url)
    // Mail servers know of good tokens by themselves, whether or not anybody can get new ones.
    if (!issuer.isUp && url.pathname !== '/introspect') return response.destroy()
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(response, 200, {
          issuer: issuer.url,
          authorization_endpoint: `${issuer.url}/authorize`,
          token_endpoint: `${issuer.url}/token`,
          jwks_uri: `${issuer.url}/keys`,
          revocation_endpoint: `${issuer.url}/revoke`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        })
      case '/keys':
        return json(response, 200, { keys: [jwk] })
      case '/authorize':
        return authorize(url, response)
      case '/token':
        return token(request, response)
      case '/revoke': {
        const form = new URLSearchParams(await textOf(request))
        const revokedToken = form.get('token') ?? ''
        issuer.revoked.push(revokedToken)
        const grant = grants.get(revokedToken)
        if (grant !== undefined) grant.isWithdrawn = true
        return json(response, 200, {})
      }
      case '/introspect': {
        // Dovecot asks: POST with the form field `token`, or GET with the token at the end of the address.
        const form = new URLSearchParams(await textOf(request))
        const person = personOf(form.get('token') ?? url.searchParams.get('token') ?? '')
        return json(response, 200, person === undefined ? { active: false } : { active: true, email: person })
      }
      default:
        return json(response, 404, { error: 'not found' })
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const issuer: OauthIssuer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'howl',
    clientSecret: 'the secret of Howl',
    person: 'ada@muster.example',
    isUp: true,
    slowMs: 0,
    tokenFault: null,
    idTokenFault: null,
    refusesConsent: false,
    tokenLife: 300,
    refreshes: new Map(),
    get mostRefreshesAtOnce() {
      return mostAtOnce
    },
    get reused() {
      return reused
    },
    revoked: [],
    async consent(url) {
      const response = await fetch(url, { redirect: 'manual' })
      return new URL(response.headers.get('location') ?? '')
    },
    withdraw(person) {
      for (const grant of grants.values()) if (grant.person === person) grant.isWithdrawn = true
    },
    personOf,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return issuer
}

/** The settings that make Howl offer this issuer, with these mail servers. */
export function oauthEnvironment(
  issuer: OauthIssuer,
  servers: { sink: { port: number }; dovecot: { port: number } },
): Record<string, string> {
  return {
    OAUTH_ISSUER: issuer.url,
    OAUTH_CLIENT_ID: issuer.clientId,
    OAUTH_CLIENT_SECRET: issuer.clientSecret,
    OAUTH_NAME: 'Muster',
    OAUTH_SMTP_URL: `smtp://127.0.0.1:${servers.sink.port}`,
    OAUTH_IMAP_URL: `imap://127.0.0.1:${servers.dovecot.port}`,
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}
