import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { DeadlinePassed, withinDeadline } from './deadline.ts'
import { farWords } from './far-words.ts'
import { finalDot, stuffDots } from './smtp-dots.ts'
import { type Agreed, inLockstep, pipelined, type SmtpEnvelope, type SmtpMail } from './smtp-envelope.ts'
import { SmtpFailure, smtpFailure, type RecipientFailure, type SmtpStage } from './smtp-failure.ts'
import { type SmtpWire, takeWire } from './smtp-wire.ts'

export type { SmtpEnvelope, SmtpMail } from './smtp-envelope.ts'

/**
 * A mail up to this size is written in one piece with its final dot, once the caller's mark is made. A bigger one goes
 * ahead of its dot, in pieces, so that escaping their dots never blocks other work for long.
 */
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

/** The server has taken the mail for `accepted`; the others have their reasons. */
export type SmtpAcceptance = { response: string; accepted: string[]; rejected: RecipientFailure[] }

/** A signed-in connection. One mail at a time. */
export type SmtpSession = {
  /** False once the connection is gone; open another one. */
  readonly usable: boolean
  /**
   * Sends one mail, RFC 5322 bytes as they are. `beforeFinalDot` is awaited when the server has agreed to take the mail,
   * before the final dot; when it throws, the connection is cut without the dot, so that the server takes nothing, and its
   * error is thrown on. It has always settled by the time that `send` settles.
   *
   * `following` is asked when the final dot is written: the mail that comes next on this connection. Its envelope goes with
   * the dot where the server allows that (RFC 2920), which saves a round trip. The next mail must then be that one.
   *
   * @throws {SmtpFailure} of kind `unsure` when the server may have taken the mail
   */
  send(
    envelope: SmtpEnvelope,
    raw: Buffer,
    beforeFinalDot?: () => Promise<void>,
    following?: () => SmtpMail | undefined,
  ): Promise<SmtpAcceptance>
  close(): void
}

/** The envelope of a mail that went ahead with the final dot of the mail before. */
type Ahead = { mail: SmtpMail; agreed: Promise<Agreed>; afterRefusal: boolean }

/** Wraps a connection that is open and signed in. */
export function makeSession(
  connection: SMTPConnection,
  deadlines: SmtpDeadlines,
  maxReplyBytes: number,
): SmtpSession {
  const wire = takeWire(connection, maxReplyBytes)
  const clock = makeClock(wire, deadlines)
  let ahead: Ahead | undefined
  let busy = false
  const close = () => {
    clock.stop()
    wire.close()
  }

  /** Has the server agree to a mail, unless it was asked with the mail before. */
  const agree = async (mail: SmtpMail): Promise<Agreed> => {
    const asked = ahead
    ahead = undefined
    if (asked !== undefined && asked.mail.raw !== mail.raw) {
      close()
      throw smtpFailure(new Error('Connection closed'), 'envelope')
    }
    if (asked !== undefined) {
      try {
        return await asked.agreed
      } catch (error) {
        // Some servers hold the sender of a mail that they have refused: then it is not this mail that they mean.
        if (!asked.afterRefusal || wire.broken !== undefined) throw error
        await forget(wire)
      }
    }
    if (!wire.extensions.has('PIPELINING')) return inLockstep(wire, mail)
    const { bytes, answers } = pipelined(wire, mail)
    wire.write(bytes)
    return answers()
  }

  /** The envelope to write behind a final dot. */
  const prepareAhead = (mail: SmtpMail | undefined) => {
    if (mail === undefined || !wire.extensions.has('PIPELINING')) return undefined
    try {
      return { mail, ...pipelined(wire, mail) }
    } catch {
      // What is wrong with it is said when it is sent.
      return undefined
    }
  }

  const attempt = async (
    mail: SmtpMail,
    at: At,
    beforeFinalDot?: () => Promise<void>,
    following?: () => SmtpMail | undefined,
  ): Promise<SmtpAcceptance> => {
    if (mail.raw.length === 0) throw new SmtpFailure('refused', 'The mail is empty')
    if (wire.broken !== undefined) throw wire.broken
    clock.enter('command')
    const { accepted, rejected } = await agree(mail)
    at.stage = 'data'
    clock.enter('data')
    const isBig = mail.raw.length > PIECE_BYTES
    if (isBig) await writePieces(wire, mail.raw)
    await beforeFinalDot?.().catch((error: unknown) => {
      at.markError = { error }
      throw error
    })
    // The connection may have broken while the mark was made; then the dot is not written and the server took nothing.
    if (wire.broken !== undefined) throw wire.broken
    const next = prepareAhead(following?.())
    const parts = isBig ? [finalDot(mail.raw)] : [stuffDots(mail.raw), finalDot(mail.raw)]
    if (next !== undefined) parts.push(Buffer.from(next.bytes))
    at.stage = 'answer'
    clock.enter('answer')
    wire.write(Buffer.concat(parts))
    const answer = wire.reply()
    if (next !== undefined) ahead = { mail: next.mail, agreed: next.answers(), afterRefusal: false }
    ahead?.agreed.catch(() => {})
    const { code, text } = await answer
    if (code >= 200 && code < 300) return { response: farWords(text), accepted, rejected }
    if (ahead !== undefined) ahead.afterRefusal = true
    throw code >= 400 ? { response: text, responseCode: code } : new Error(text)
  }

  return {
    get usable() {
      return wire.broken === undefined
    },
    close,
    async send(envelope, raw, beforeFinalDot, following) {
      if (busy) throw new Error('An SMTP session sends one mail at a time')
      busy = true
      const at: At = { stage: 'envelope' }
      try {
        return await attempt({ envelope, raw }, at, beforeFinalDot, following)
      } catch (error) {
        const failure = smtpFailure(error, at.stage)
        // In the middle of the data there is no way back to commands: whatever we wrote would be part of the mail.
        if (at.stage === 'data' || failure.kind === 'unsure') close()
        else if (wire.broken === undefined && ahead === undefined) await forget(wire).catch(close)
        throw at.markError === undefined ? failure : at.markError.error
      } finally {
        clock.rest()
        busy = false
      }
    },
  }
}

/** Everything of a big mail but its final dot, as fast as the socket takes it. */
async function writePieces(wire: SmtpWire, raw: Buffer): Promise<void> {
  for (let at = 0; at < raw.length; at += PIECE_BYTES) {
    if (wire.broken !== undefined) throw wire.broken
    const piece = stuffDots(raw.subarray(at, at + PIECE_BYTES), at === 0 ? undefined : raw[at - 1])
    if (!wire.write(piece)) await wire.drained()
  }
}

/** Ends the connection when a stage takes too long. One timer for many mails: each only moves the hour. */
function makeClock(wire: SmtpWire, deadlines: SmtpDeadlines) {
  let until = Infinity
  let ringsAt = Infinity
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    ringsAt = until
    timer = setTimeout(ring, Math.max(until - performance.now(), 0) + 1).unref()
  }
  const ring = () => {
    ringsAt = Infinity
    if (until === Infinity) return
    if (performance.now() < until) arm()
    else wire.close(new DeadlinePassed('no answer in time'))
  }
  return {
    enter: (stage: 'command' | 'data' | 'answer') => {
      until = performance.now() + deadlines[stage]
      if (until >= ringsAt) return
      clearTimeout(timer)
      arm()
    },
    /** Nothing is awaited. */
    rest: () => {
      until = Infinity
    },
    stop: () => clearTimeout(timer),
  }
}

/** How far a mail has come. */
type At = { stage: SmtpStage; markError?: { error: unknown } }

/** RSET: after a refusal many servers still hold the sender, and would not take the next MAIL. */
async function forget(wire: SmtpWire): Promise<void> {
  wire.write('RSET\r\n')
  const { code, text } = await withinDeadline(RESET_MS, wire.reply(), () => wire.close())
  if (code >= 300) throw new Error(text)
}
