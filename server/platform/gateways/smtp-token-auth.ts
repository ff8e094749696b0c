import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { inside } from './nodemailer-inside.ts'

/** The two ways to sign in with an access token: Google's own (XOAUTH2), and RFC 7628. */
type Mechanism = 'XOAUTH2' | 'OAUTHBEARER'

/** What the client says after a refusal that the server explains, so that the server can end the exchange. */
const AFTER_EXPLANATION: Record<Mechanism, string> = { XOAUTH2: '', OAUTHBEARER: 'AQ==' }

/**
 * Signing in by access token, for Nodemailer's option `customAuth`, under the names that {@link tokenMethod} gives. Under
 * the plain name of a mechanism Nodemailer would rather send an empty password.
 */
export function tokenAuth(
  place: { host: string; port: number },
  username: string,
  token: string,
): SMTPConnection.CustomAuthenticationHandlers {
  const response: Record<Mechanism, string> = {
    XOAUTH2: `user=${username}\x01auth=Bearer ${token}\x01\x01`,
    OAUTHBEARER: `n,a=${username},\x01host=${place.host}\x01port=${place.port}\x01auth=Bearer ${token}\x01\x01`,
  }
  const by = (mechanism: Mechanism) => async (exchange: SMTPConnection.CustomAuthenticationContext) => {
    const initial = Buffer.from(response[mechanism]).toString('base64')
    let reply = await exchange.sendCommand(`AUTH ${mechanism} ${initial}`)
    if (reply.status === 334) reply = await exchange.sendCommand(AFTER_EXPLANATION[mechanism])
    if (reply.status !== 235) throw new Error('Invalid login')
  }
  return { 'TOKEN XOAUTH2': by('XOAUTH2'), 'TOKEN OAUTHBEARER': by('OAUTHBEARER') }
}

/** How to sign in to this server; undefined if it takes no tokens. */
export function tokenMethod(connection: SMTPConnection): string | undefined {
  const { _ehloLines: lines = [] } = inside(connection)
  const offered = new Set(
    lines.filter((line) => /^AUTH[\s=]/i.test(line)).flatMap((line) => line.toUpperCase().split(/[\s=]+/)),
  )
  // Microsoft knows the first only; servers that know the second only are rare.
  const mechanism = (['XOAUTH2', 'OAUTHBEARER'] as const).find((each) => offered.has(each))
  return mechanism === undefined ? undefined : `TOKEN ${mechanism}`
}
