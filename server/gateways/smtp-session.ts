import { isAscii } from 'node:buffer'
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { DeadlinePassed, withinDeadline } from './deadline.ts'
import {
  recipientFailure,
  SmtpFailure,
  smtpFailure,
  type RecipientFailure,
  type SmtpStage,
} from './smtp-failure.ts'
import { farWords } from './far-words.ts'

/** Big mails go to the socket in pieces, so that escaping their dots never blocks other work for long. */
const PIECE_BYTES = 64 * 1024

/** A server that does not answer RSET at once gets a new connection; the caller waits for the news meanwhile. */
const RESET_MS = 2_000

/**
 * How long the far server may take, in milliseconds. Each is a deadline, not a pause between bytes, so a server that
 * drips a byte a minute holds nobody; a whole send ends within `command + data + answer`.
 */
export type SmtpDeadlines = {
  /** TCP connection. */
  connect: number
  /** Greeting, and TLS where it is asked for. */
  greeting: number
  /** EHLO; AUTH; MAIL to the answer to DATA. */
  command: number
  /** The mail's bytes and the caller's mark, up to the final dot. */
  data: number
  /** The answer to the final dot. */
  answer: number
}

/** `from` may be empty: the null sender of delivery reports. */
export type SmtpEnvelope = { from: string; to: string[] }

/** The server has taken the mail for `accepted`; the others have their reasons. */
export type SmtpReceipt = { response: string; accepted: string[]; rejected: RecipientFailure[] }

/** A signed-in connection. One mail at a time. */
export type SmtpSession = {
  /** False once the connection is gone; open another one. */
  readonly usable: boolean
  /**
   * Sends one mail, RFC 5322 bytes as they are. `beforeFinalDot` is awaited when everything but the final dot is on its
   * way; when it throws, the connection is cut without the dot, so that the server takes nothing, and its error is thrown
   * on. It has always settled by the time that `send` settles.
   *
   * @throws {SmtpFailure} of kind `unsure` when the server may have taken the mail
   */
  send(envelope: SmtpEnvelope, raw: Buffer, beforeFinalDot?: () => Promise<void>): Promise<SmtpReceipt>
  close(): void
}

/** Wraps a connection that is open and signed in. */
export function makeSession(connection: SMTPConnection, deadlines: SmtpDeadlines): SmtpSession {
  let usable = true
  let busy = false
  connection.on('end', () => {
    usable = false
  })
  const close = () => {
    usable = false
    connection.close()
  }

  return {
    get usable() {
      return usable && !connection.destroyed
    },
    close,
    async send(envelope, raw, beforeFinalDot) {
      if (busy) throw new Error('An SMTP session sends one mail at a time')
      busy = true
      const attempt = makeAttempt(connection, deadlines, beforeFinalDot)
      try {
        return await attempt.send(envelope, raw)
      } catch (error) {
        // In the middle of the data there is no way back to commands: whatever we wrote would be part of the mail.
        const lost = attempt.stage() === 'data' || (error instanceof SmtpFailure && error.kind === 'unsure')
        if (lost) close()
        else if (!connection.destroyed) await forget(connection).catch(close)
        throw error
      } finally {
        busy = false
      }
    },
  }
}

/** RSET: after a refusal many servers still hold the sender, and would not take the next MAIL. */
async function forget(connection: SMTPConnection): Promise<void> {
  const answer = Promise.withResolvers<void>()
  connection.once('end', () => answer.reject(new Error('Connection closed')))
  connection.reset((error) => (error ? answer.reject(error) : answer.resolve()))
  await withinDeadline(RESET_MS, answer.promise, () => connection.close())
}

/** One mail on its way: which stage it is in, and how long that stage may take. */
function makeAttempt(
  connection: SMTPConnection,
  deadlines: SmtpDeadlines,
  beforeFinalDot?: () => Promise<void>,
) {
  let stage: SmtpStage = 'envelope'
  let over = false
  let expired = false
  let mark: Promise<void> | undefined
  let markError: { error: unknown } | undefined
  let timer: NodeJS.Timeout | undefined

  const enter = (next: Exclude<SmtpStage, 'open'>) => {
    stage = next
    clearTimeout(timer)
    timer = setTimeout(expire, deadlines[next === 'envelope' ? 'command' : next])
  }
  const expire = () => {
    expired = true
    connection.close()
    outcome.reject(new DeadlinePassed('no answer in time'))
  }

  async function* mailData(raw: Buffer): AsyncGenerator<Buffer> {
    enter('data')
    for (let at = 0; at < raw.length; at += PIECE_BYTES) yield raw.subarray(at, at + PIECE_BYTES)
    if (beforeFinalDot) {
      mark = beforeFinalDot()
      await mark.catch((error: unknown) => {
        markError = { error }
        throw error
      })
    }
    // The connection may have broken while the mark was made; then the dot is not written and the server took nothing.
    if (over || expired) throw new Error('Connection closed')
    enter('answer')
  }

  const outcome = Promise.withResolvers<SmtpReceipt>()
  const send = async (envelope: SmtpEnvelope, raw: Buffer): Promise<SmtpReceipt> => {
    if (raw.length === 0) throw new SmtpFailure('refused', 'The mail is empty')
    enter('envelope')
    // Nodemailer says what went wrong just after it has said that the connection ended.
    const ended = () => setImmediate(() => outcome.reject(new Error('connection closed')))
    connection.once('end', ended)
    const parameters = { from: envelope.from, to: envelope.to, size: raw.length, use8BitMime: !isAscii(raw) }
    connection.send(parameters, Readable.from(mailData(raw), { objectMode: false }), (error, info) => {
      if (error) return outcome.reject(error)
      // An answer to a mail that has no end yet is no answer.
      if (stage !== 'answer')
        return outcome.reject(new Error('The server answered before the end of the mail'))
      const rejected = (info.rejectedErrors ?? []).map((one) => recipientFailure(one))
      outcome.resolve({ response: farWords(info.response), accepted: info.accepted, rejected })
    })
    try {
      return await outcome.promise
    } catch (error) {
      over = true
      const failedAt = stage
      clearTimeout(timer)
      if (failedAt === 'data') connection.close()
      // The caller is about to write down what happened; its own mark must not come after that.
      await mark?.catch(() => {})
      if (markError) throw markError.error
      throw smtpFailure(error, failedAt)
    } finally {
      clearTimeout(timer)
      connection.removeListener('end', ended)
    }
  }
  return { send, stage: () => stage }
}
