import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

// An SMTP server in its own process that counts what it accepts and does as little else as possible: its cost burdens
// both sides. It is told to expect a number of mails and reports when the last of them is there.

/** What arrived, in milliseconds of the clock that all processes of the machine share. */
export type Arrived = { mails: number; recipients: number; firstAt: number; lastAt: number; bytes: number }

const none = (): Arrived => ({ mails: 0, recipients: 0, firstAt: 0, lastAt: 0, bytes: 0 })
let arrived = none()
let recipients = new Set<string>()
let expected = 0

const server = new SMTPServer({
  logger: false,
  hideSTARTTLS: true,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  authOptional: true,
  disableReverseLookup: true,
  closeTimeout: 50,
  onAuth: (_login, _session, done) => done(null, { user: 'anybody' }),
  onRcptTo: ({ address }, _session, done) => {
    recipients.add(address)
    done()
  },
  onData: (stream, _session, done) => {
    stream.on('data', (piece: Buffer) => void (arrived.bytes += piece.length))
    stream.on('end', () => {
      arrived.mails += 1
      arrived.lastAt = performance.timeOrigin + performance.now()
      if (arrived.mails === 1) arrived.firstAt = arrived.lastAt
      done(null, 'OK')
      if (arrived.mails === expected) report()
    })
  },
})

function report(): void {
  process.send?.({ arrived: { ...arrived, recipients: recipients.size } })
}

process.on('message', (order: { expect: number } | { tell: true }) => {
  if ('tell' in order) return report()
  expected = order.expect
  arrived = none()
  recipients = new Set()
  process.send?.({ ready: true })
})
process.once('disconnect', () => process.exit(0))

server.on('error', () => {})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
process.send?.({ port: (server.server.address() as AddressInfo).port })
