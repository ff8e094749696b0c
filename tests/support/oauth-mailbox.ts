import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { mailbox as findMailbox, type Mailbox } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from './client.ts'
import { startDovecot, type Dovecot } from './dovecot.ts'
import type { TestUser } from './factories.ts'
import { type OauthIssuer, startOauthIssuer } from './oauth-issuer.ts'
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts'
import { type MovableClock, movableClock, type TestApp } from './test-app.ts'

export type OauthServers = {
  clock: MovableClock
  issuer: OauthIssuer
  dovecot: Dovecot
  sink: SmtpSink
  stop(): Promise<void>
}

/** An issuer, and mail servers that take its access tokens and nothing else that they were not told of. */
export async function startOauthServers(people: readonly string[]): Promise<OauthServers> {
  const clock = movableClock()
  const issuer = await startOauthIssuer(clock)
  const users = Object.fromEntries(people.map((person) => [person, `password of ${person}`]))
  const [dovecot, sink] = await Promise.all([
    startDovecot({ users, issuer: issuer.url }),
    startSmtpSink({ users, personOf: issuer.personOf }),
  ])
  return {
    clock,
    issuer,
    dovecot,
    sink,
    stop: async () => void (await Promise.all([issuer.stop(), dovecot.stop(), sink.stop()])),
  }
}

/** Begins to connect a mailbox, and consents at the issuer: what the browser is sent back with. */
export async function consentAs(
  app: TestApp,
  { issuer }: Pick<OauthServers, 'issuer'>,
  { token }: Pick<TestUser, 'token'>,
  person: string,
  mailboxId?: number,
): Promise<{ state: string; code: string; iss: string }> {
  const started = await call(app.url, mailboxOauth.start, {
    token,
    body: { provider: 'other', ...(mailboxId === undefined ? {} : { mailbox_id: mailboxId }) },
  })
  if (started.status !== 200) throw new Error(started.error.detail)
  issuer.person = person
  const back = (await issuer.consent(started.body.url)).searchParams
  return { state: back.get('state') ?? '', code: back.get('code') ?? '', iss: back.get('iss') ?? '' }
}

/** Connects a person's mailbox by OAuth 2, or connects it again, as the page does. */
export async function connectByOauth(
  app: TestApp,
  servers: Pick<OauthServers, 'issuer'>,
  user: Pick<TestUser, 'id' | 'token'>,
  person: string,
  mailboxId?: number,
): Promise<Mailbox> {
  const body = await consentAs(app, servers, user, person, mailboxId)
  const finished = await call(app.url, mailboxOauth.finish, { token: user.token, body })
  if (finished.status !== 200) throw new Error(finished.error.detail)
  const row = await findMailbox(app.context.db, user.id, finished.body.id)
  if (row === undefined) throw new Error('There is no mailbox')
  return row
}
