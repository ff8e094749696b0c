import { isAscii } from 'node:buffer'
import { recipientFailure, smtpFailure, type RecipientFailure, type SmtpFailure } from './smtp-failure.ts'
import type { SmtpReply, SmtpWire } from './smtp-wire.ts'

/** Sender and recipients. An empty `from` is the null sender of delivery reports. */
export type SmtpEnvelope = { from: string; to: string[] }

/** A mail: its envelope, and its RFC 5322 bytes without dot-stuffing. */
export type SmtpMail = { envelope: SmtpEnvelope; raw: Buffer }

/** The server is ready for the mail's bytes, for the `accepted` recipients. */
export type ReadyForData = { accepted: string[]; rejected: RecipientFailure[] }

/** MAIL, RCPT and DATA of one mail: the bytes to write, and the result of their replies. */
export type Envelope = {
  bytes: string
  /** Call once the bytes are written, before anything else is sent. @throws {SmtpFailure} */
  result(): Promise<ReadyForData>
}

/** A whole envelope in one write (RFC 2920). @throws {SmtpFailure} if it must not be sent to this server */
export function pipelined(wire: SmtpWire, { envelope, raw }: SmtpMail): Envelope {
  const mail = mailCommand(wire, envelope, raw)
  const lines = [mail, ...envelope.to.map(rcptCommand), 'DATA\r\n']
  return {
    bytes: lines.join(''),
    result: async () => {
      // Registered all at once, so that they are not mistaken for replies to later commands.
      const replies = lines.map(() => wire.reply().catch(() => undefined))
      const [toMail, ...rest] = await Promise.all(replies)
      return resultOf(wire, envelope, toMail, rest.slice(0, -1), rest.at(-1))
    },
  }
}

/** Sends the envelope command by command, for servers that do not announce PIPELINING. */
export async function inLockstep(wire: SmtpWire, { envelope, raw }: SmtpMail): Promise<ReadyForData> {
  const ask = (command: string): Promise<SmtpReply | undefined> => {
    if (wire.broken === undefined) wire.write(command)
    return wire.reply().catch(() => undefined)
  }
  const toMail = await ask(mailCommand(wire, envelope, raw))
  if (!isPositive(toMail)) return resultOf(wire, envelope, toMail, [], undefined)
  const toEach: (SmtpReply | undefined)[] = []
  for (const address of envelope.to) toEach.push(await ask(rcptCommand(address)))
  const toData = toEach.some(isPositive) ? await ask('DATA\r\n') : undefined
  return resultOf(wire, envelope, toMail, toEach, toData)
}

function mailCommand(wire: SmtpWire, { from, to }: SmtpEnvelope, raw: Buffer): string {
  if (to.length === 0) throw notSendable('EENVELOPE', 'There is no recipient')
  // An address that could end its command could smuggle in another command.
  for (const address of [from, ...to])
    if (!KEEPS_TO_ITSELF.test(address))
      throw notSendable('EENVELOPE', `Invalid address ${JSON.stringify(address)}`)
  if (to.some((address) => address.trim() === ''))
    throw notSendable('EENVELOPE', 'A recipient has no address')
  if (wire.maxBytes > 0 && raw.length > wire.maxBytes)
    throw notSendable('EMESSAGE', `The server takes mails of ${wire.maxBytes} bytes at most`)
  const has = (extension: string) => wire.extensions.has(extension)
  let command = `MAIL FROM:<${from}>`
  if (has('SMTPUTF8') && [from, ...to].some((address) => /[^\0-\x7f]/.test(address))) command += ' SMTPUTF8'
  if (has('8BITMIME') && !isAscii(raw)) command += ' BODY=8BITMIME'
  if (has('SIZE')) command += ` SIZE=${raw.length}`
  return `${command}\r\n`
}

/** No control characters anywhere; brackets only within the quotes of a local part, which are closed (RFC 5321 4.1.2). */
const KEEPS_TO_ITSELF = /^(?:"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"(?=@))?[^<>"\p{Cc}]*$/u

const rcptCommand = (address: string) => `RCPT TO:<${address}>\r\n`

function notSendable(code: string, message: string): SmtpFailure {
  return smtpFailure(Object.assign(new Error(message), { code }), 'envelope')
}

/** The result of the replies; undefined stands for a missing one. A server that waits for the data of a mail without recipients gets an empty mail. */
async function resultOf(
  wire: SmtpWire,
  { to }: SmtpEnvelope,
  toMail: SmtpReply | undefined,
  toEach: readonly (SmtpReply | undefined)[],
  toData: SmtpReply | undefined,
): Promise<ReadyForData> {
  const waitsForData = toData !== undefined && toData.code >= 300 && toData.code < 400
  if (!isPositive(toMail)) {
    // It refused the sender and waits for the mail all the same: there is no reliable way back to commands.
    if (waitsForData) wire.close()
    throw refusal(wire, toMail)
  }
  // RFC 5321 3.8: 421 is about the connection, whichever command it replies to.
  if (toEach.includes(undefined))
    throw refusal(
      wire,
      toEach.findLast((reply) => reply?.code === 421),
    )
  const rejected = toEach.flatMap((reply, index) =>
    reply === undefined || isPositive(reply)
      ? []
      : [{ recipient: to[index], response: reply.text, responseCode: reply.code }],
  )
  if (rejected.length === to.length) {
    // RFC 2920 3.1: without a recipient DATA must fail. If it does not, a lone dot ends it.
    if (waitsForData) {
      wire.write('.\r\n')
      await wire.reply()
    }
    const later = rejected.find(({ responseCode }) => responseCode < 500) ?? rejected.at(-1)
    throw smtpFailure({ ...later, rejectedErrors: rejected }, 'envelope')
  }
  // Some servers say 250 where they mean 354.
  if (toData === undefined || !(toData.code < 400)) throw refusal(wire, toData)
  const refused = new Set(rejected.map(({ recipient }) => recipient))
  return {
    accepted: to.filter((address) => !refused.has(address)),
    rejected: rejected.map((each) => recipientFailure(each)),
  }
}

const isPositive = (reply: SmtpReply | undefined) =>
  reply !== undefined && reply.code >= 200 && reply.code < 300

function refusal(wire: SmtpWire, reply: SmtpReply | undefined): SmtpFailure {
  if (reply !== undefined && reply.code >= 400)
    return smtpFailure({ response: reply.text, responseCode: reply.code }, 'envelope')
  return smtpFailure(wire.broken ?? new Error(reply?.text ?? 'Connection closed'), 'envelope')
}
