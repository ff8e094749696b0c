import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { DeadlinePassed, withinDeadline } from './deadline.ts'
import { farWords } from './far-words.ts'
import { finalDot, stuffDots } from './smtp-dots.ts'
import {
  type Envelope,
  inLockstep,
  type ReadyForData,
  pipelined,
  type SmtpEnvelope,
  type SmtpMail,
} from './smtp-envelope.ts'
import { SmtpFailure, smtpFailure, type RecipientFailure, type SmtpStage } from './smtp-failure.ts'
import { type SmtpWire, takeWire } from './smtp-wire.ts'

export type { SmtpEnvelope, SmtpMail } from './smtp-envelope.ts'

/**
 * A mail up to this size is written in one piece with its final dot, once the caller's `beforeFinalDot` is done. A bigger
 * one is written ahead of its dot in pieces, so that stuffing dots never blocks other work for long.
 */
const PIECE_BYTES = 64 * 1024

/** A server that does not reply to RSET in this time gets a new connection: the caller is waiting. */
const RESET_MS = 2_000

/**
 * How long the far server may take, in milliseconds. Each is a deadline, not a pause between bytes, so a server that sends
 * a byte a minute holds nobody up. A whole send ends within `command + data + answer`.
 */
export type SmtpDeadlines = {
  /** TCP connection. */
  connect: number
  /** The greeting, and TLS if the account requires it. */
  greeting: number
  /** EHLO; AUTH; from MAIL to the reply to DATA. */
  command: number
  /** The mail's bytes and the caller's `beforeFinalDot`, up to the final dot. */
  data: number
  /** The reply to the final dot. */
  answer: number
}

/** The server accepted the mail for the recipients `accepted`; `rejected` says why not for the others. */
export type SmtpAcceptance = { response: string; accepted: string[]; rejected: RecipientFailure[] }

/** A signed-in connection. One mail at a time. */
export type SmtpSession = {
  /** False once the connection is lost; then open another one. */
  readonly usable: boolean
  /**
   * Sends one mail; `raw` is its RFC 5322 bytes without dot-stuffing. `beforeFinalDot` is awaited once the server is ready
   * for the mail, before the final dot. If it throws, the connection is cut without the dot, so that the server accepts
   * nothing, and its error is rethrown. It has always settled by the time `send` settles.
   *
   * `following` is called when the final dot is written, and returns the mail that comes next on this connection. Its
   * envelope goes out with the dot if the server allows that (RFC 2920), which saves a round trip. The next call must then
   * send that mail.
   *
   * @throws {SmtpFailure} of kind `unsure` if the server may have accepted the mail
   */
  send(
    envelope: SmtpEnvelope,
    raw: Buffer,
    beforeFinalDot?: () => Promise<void>,
    following?: () => SmtpMail | undefined,
  ): Promise<SmtpAcceptance>
  close(): void
}

/** A session on a connection that is open and signed in. */
export function makeSession(
  connection: SMTPConnection,
  deadlines: SmtpDeadlines,
  maxReplyBytes: number,
): SmtpSession {
  const wire = takeWire(connection, maxReplyBytes)
  const stageTimer = makeStageTimer(wire, deadlines)
  const close = () => {
    stageTimer.stop()
    wire.close()
  }
  const envelopes = makeEnvelopes(wire, close)
  let isBusy = false

  const attempt = async (
    mail: SmtpMail,
    progress: Progress,
    beforeFinalDot?: () => Promise<void>,
    following?: () => SmtpMail | undefined,
  ): Promise<SmtpAcceptance> => {
    if (mail.raw.length === 0) throw new SmtpFailure('refused', 'The mail is empty')
    if (wire.broken !== undefined) throw wire.broken
    stageTimer.enter('command')
    const { accepted, rejected } = await envelopes.send(mail)
    progress.stage = 'data'
    stageTimer.enter('data')
    const isBig = mail.raw.length > PIECE_BYTES
    if (isBig) await writePieces(wire, mail.raw)
    await beforeFinalDot?.().catch((error: unknown) => {
      progress.beforeDotError = { error }
      throw error
    })
    // The connection may have broken in the meantime: then the dot is not written, and the server accepts nothing.
    if (wire.broken !== undefined) throw wire.broken
    const next = envelopes.prepareAhead(following?.())
    const parts = isBig ? [finalDot(mail.raw)] : [stuffDots(mail.raw), finalDot(mail.raw)]
    if (next !== undefined) parts.push(Buffer.from(next.bytes))
    progress.stage = 'answer'
    stageTimer.enter('answer')
    wire.write(Buffer.concat(parts))
    const answer = wire.reply()
    if (next !== undefined) envelopes.wentAhead(next)
    const { code, text } = await answer
    if (code >= 200 && code < 300) return { response: farWords(text), accepted, rejected }
    envelopes.mailRefused()
    throw code >= 400 ? { response: text, responseCode: code } : new Error(text)
  }

  return {
    get usable() {
      return wire.broken === undefined
    },
    close,
    async send(envelope, raw, beforeFinalDot, following) {
      if (isBusy) throw new Error('An SMTP session sends one mail at a time')
      isBusy = true
      const progress: Progress = { stage: 'envelope' }
      try {
        return await attempt({ envelope, raw }, progress, beforeFinalDot, following)
      } catch (error) {
        const failure = smtpFailure(error, progress.stage)
        // In the middle of the data there is no way back to commands: anything written would be part of the mail.
        if (progress.stage === 'data' || failure.kind === 'unsure') close()
        else if (wire.broken === undefined && !envelopes.isOneAhead()) await reset(wire).catch(close)
        throw progress.beforeDotError === undefined ? failure : progress.beforeDotError.error
      } finally {
        stageTimer.pause()
        isBusy = false
      }
    },
  }
}

/** An envelope that goes out with the final dot of the previous mail. */
type EnvelopeAhead = { mail: SmtpMail } & Envelope

/** Sends envelopes: each before its mail or, with PIPELINING, ahead with the final dot of the previous mail. */
function makeEnvelopes(wire: SmtpWire, close: () => void) {
  let ahead: { mail: SmtpMail; ready: Promise<ReadyForData>; afterRefusal: boolean } | undefined
  const canPipeline = wire.extensions.has('PIPELINING')
  return {
    /** Sends a mail's envelope, unless it went ahead, and waits until the server is ready for the data. */
    send: async (mail: SmtpMail): Promise<ReadyForData> => {
      const sent = ahead
      ahead = undefined
      if (sent !== undefined && sent.mail.raw !== mail.raw) {
        close()
        throw smtpFailure(new Error('Connection closed'), 'envelope')
      }
      if (sent !== undefined) {
        try {
          return await sent.ready
        } catch (error) {
          // Some servers keep the sender of a mail that they refused: then their refusal is not about this mail.
          if (!sent.afterRefusal || wire.broken !== undefined) throw error
          await reset(wire)
        }
      }
      if (!canPipeline) return inLockstep(wire, mail)
      const { bytes, result } = pipelined(wire, mail)
      wire.write(bytes)
      return result()
    },
    /** The envelope to write after a final dot, if it can go ahead. */
    prepareAhead: (mail: SmtpMail | undefined): EnvelopeAhead | undefined => {
      if (mail === undefined || !canPipeline) return undefined
      try {
        return { mail, ...pipelined(wire, mail) }
      } catch {
        // Sending that mail throws the error again.
        return undefined
      }
    },
    /** The envelope was written, and the reply to the final dot before it is already awaited. */
    wentAhead: ({ mail, result }: EnvelopeAhead) => {
      const ready = result()
      ready.catch(() => {})
      ahead = { mail, ready, afterRefusal: false }
    },
    /** The mail was refused whose final dot an envelope may have gone out with. */
    mailRefused: () => {
      if (ahead !== undefined) ahead.afterRefusal = true
    },
    isOneAhead: () => ahead !== undefined,
  }
}

/** Writes a big mail up to its final dot, as fast as the socket takes it. */
async function writePieces(wire: SmtpWire, raw: Buffer): Promise<void> {
  for (let at = 0; at < raw.length; at += PIECE_BYTES) {
    if (wire.broken !== undefined) throw wire.broken
    const piece = stuffDots(raw.subarray(at, at + PIECE_BYTES), at === 0 ? undefined : raw[at - 1])
    if (!wire.write(piece)) await wire.drained()
  }
}

/** Ends the connection when a stage takes too long. All mails share one timer: each only moves its deadline. */
function makeStageTimer(wire: SmtpWire, deadlines: SmtpDeadlines) {
  let until = Infinity
  let firesAt = Infinity
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    firesAt = until
    timer = setTimeout(fire, Math.max(until - performance.now(), 0) + 1).unref()
  }
  const fire = () => {
    firesAt = Infinity
    if (until === Infinity) return
    if (performance.now() < until) arm()
    else wire.close(new DeadlinePassed('no answer in time'))
  }
  return {
    enter: (stage: 'command' | 'data' | 'answer') => {
      until = performance.now() + deadlines[stage]
      if (until >= firesAt) return
      clearTimeout(timer)
      arm()
    },
    /** The server owes nothing. */
    pause: () => {
      until = Infinity
    },
    stop: () => clearTimeout(timer),
  }
}

/** How far sending a mail has come. */
type Progress = { stage: SmtpStage; beforeDotError?: { error: unknown } }

/** RSET: after a refusal many servers keep the sender, and would refuse the next MAIL. */
async function reset(wire: SmtpWire): Promise<void> {
  wire.write('RSET\r\n')
  const { code, text } = await withinDeadline(RESET_MS, wire.reply(), () => wire.close())
  if (code >= 300) throw new Error(text)
}
