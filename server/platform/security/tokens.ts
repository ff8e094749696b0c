import { jwtVerify, SignJWT } from 'jose'

/** What a bearer token names: the user and the session row. */
export type TokenClaims = { userId: number; sessionId: string }

/** Whose calls a token opens. */
export type Audience = 'user' | 'admin'

const ISSUER = 'howl'

/** Signs a token (JWT, HS256) that names a session; `expiresAt` is the session's own end. */
export async function signToken(
  key: Uint8Array,
  claims: TokenClaims,
  now: Date,
  expiresAt: Date,
  audience: Audience = 'user',
): Promise<string> {
  return new SignJWT({ sid: claims.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(String(claims.userId))
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .sign(key)
}

/** Reads a token; null when it is not ours, of another audience, was changed, or has expired. */
export async function readToken(
  key: Uint8Array,
  token: string,
  now: Date,
  audience: Audience = 'user',
): Promise<TokenClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience,
      currentDate: now,
    })
    const userId = Number(payload.sub)
    if (!Number.isSafeInteger(userId) || typeof payload['sid'] !== 'string') return null
    return { userId, sessionId: payload['sid'] }
  } catch {
    return null
  }
}
