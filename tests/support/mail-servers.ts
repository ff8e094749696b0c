import { makeDialGuard, MAIL_PORTS } from '#server/platform/security/addresses.ts'
import { startDovecot, type Dovecot } from './dovecot.ts'
import { startSmtpSink, type SinkOptions, type SmtpSink } from './smtp-sink.ts'

/** Lets tests dial the servers below, which live on free ports of the loopback interface. */
export const loopbackGuard = makeDialGuard({ allowPrivate: true, ports: MAIL_PORTS })

/** A user's provider in the tests: Dovecot to read from, and a sink that accepts mail. */
export type MailServers = { dovecot: Dovecot; sink: SmtpSink; stop(): Promise<void> }

/** Starts both, with the same users and passwords. */
export async function startMailServers(options: {
  users: Record<string, string>
  sink?: SinkOptions
}): Promise<MailServers> {
  const { users } = options
  const [dovecot, sink] = await Promise.all([
    startDovecot({ users }),
    startSmtpSink({ users, ...options.sink }),
  ])
  return {
    dovecot,
    sink,
    stop: async () => void (await Promise.all([dovecot.stop(), sink.stop()])),
  }
}

/** A mail as text, with the headers that a test needs. */
export function testMail(headers: Record<string, string>, body = 'Hello.\r\n'): string {
  const lines = Object.entries({ From: 'bob@example.com', Subject: 'Hello', ...headers })
  return `${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}
