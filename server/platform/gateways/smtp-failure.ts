import { NoAccessToken } from './access-token.ts'
import { DeadlinePassed } from './deadline.ts'
import { dialFailureKind, dialWords, type DialFailureKind } from './dial-failure.ts'
import { farWords } from './far-words.ts'

/**
 * Why a mail was not sent, or signing in failed:
 * `refused` for good · `later` try again · `auth` user name or password · `unreachable` no connection, or it was lost before
 * the final dot, so the server accepted nothing · `certificate` no trusted encryption · `not_allowed` by our own dial rules ·
 * `too_large` · `unsure` the connection was lost when the final dot was, or may have been, written: the server may have
 * accepted the mail.
 */
export type SmtpFailureKind = DialFailureKind | 'refused' | 'later' | 'auth' | 'too_large' | 'unsure'

/** The server's reply about one recipient. */
export type RecipientFailure = { address: string; kind: SmtpFailureKind; code?: number; words: string }

/** A mail that did not go out, or may not have. `words` is the far server's reply, safe to show. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure'
  readonly kind: SmtpFailureKind
  readonly words: string
  readonly code?: number
  readonly perRecipient?: RecipientFailure[]

  constructor(
    kind: SmtpFailureKind,
    words: string,
    more: { code?: number; perRecipient?: RecipientFailure[]; cause?: unknown } = {},
  ) {
    super(`${kind}: ${words}`, { cause: more.cause })
    this.kind = kind
    this.words = words
    if (more.code !== undefined) this.code = more.code
    if (more.perRecipient) this.perRecipient = more.perRecipient
  }
}

/** `open`: no mail is under way · `envelope`: MAIL, RCPT, DATA · `data`: before the final dot · `answer`: the dot may have been written. */
export type SmtpStage = 'open' | 'envelope' | 'data' | 'answer'

type NodemailerError = {
  code?: string | undefined
  response?: string | undefined
  responseCode?: number | undefined
  rejectedErrors?: RecipientError[] | undefined
}

type RecipientError = NodemailerError & { recipient?: string | undefined }

/** Turns any error of Nodemailer, the socket, TLS or our dial guard into an {@link SmtpFailure}. */
export function smtpFailure(error: unknown, stage: SmtpStage): SmtpFailure {
  if (error instanceof SmtpFailure) return error
  if (error instanceof NoAccessToken)
    return new SmtpFailure(error.kind === 'withdrawn' ? 'auth' : 'unreachable', error.words, { cause: error })
  const { code, response, responseCode, rejectedErrors } = (error ?? {}) as NodemailerError

  // STARTTLS was requested and refused.
  if (code === 'ETLS')
    return new SmtpFailure('certificate', farWords(response) || dialWords(error), { cause: error })
  const isRefusal = responseCode !== undefined && responseCode >= 400
  if (isRefusal) {
    const perRecipient = rejectedErrors?.map((one) => recipientFailure(one))
    return new SmtpFailure(kindOfReply(responseCode, response ?? '', stage), farWords(response), {
      code: responseCode,
      cause: error,
      ...(perRecipient?.length ? { perRecipient } : {}),
    })
  }
  if (stage === 'answer') return new SmtpFailure('unsure', dialWords(error), { cause: error })
  return new SmtpFailure(kindWithoutReply(error, code), dialWords(error), { cause: error })
}

/** The failure of a recipient that was refused. */
export function recipientFailure(error: RecipientError): RecipientFailure {
  const { recipient = '', response = '', responseCode } = error
  return {
    address: recipient,
    kind: responseCode === undefined ? 'later' : kindOfReply(responseCode, response, 'envelope'),
    words: farWords(response),
    ...(responseCode === undefined ? {} : { code: responseCode }),
  }
}

function kindOfReply(code: number, response: string, stage: SmtpStage): SmtpFailureKind {
  if (code < 500) return 'later'
  // RFC 4954: 530 authentication required, 534 mechanism too weak, 535 credentials invalid, 538 encryption required.
  if (code === 530 || code === 534 || code === 535 || code === 538) return 'auth'
  // "No service here" refuses our connection: the server never looked at a mail.
  if (stage === 'open') return 'unreachable'
  // RFC 3463: 5.3.4 and 5.2.3 mean that the mail is too big; 552 can also mean a full mailbox (5.2.2).
  if (/^\d{3}[ -]5\.(3\.4|2\.3)\b/.test(response)) return 'too_large'
  if (code === 552 && !/^\d{3}[ -]5\.2\.2\b/.test(response)) return 'too_large'
  // RFC 5321 4.2.4: the session was out of step. The same mail may get through on a new connection.
  if (code === 503) return 'later'
  return 'refused'
}

function kindWithoutReply(error: unknown, code: string | undefined): SmtpFailureKind {
  if (code === 'EAUTH') return 'auth'
  if (code === 'EMESSAGE') return 'too_large'
  // An address that could smuggle in a command.
  if (code === 'EENVELOPE') return 'refused'
  if (error instanceof DeadlinePassed) return 'unreachable'
  return dialFailureKind(error) ?? 'unreachable'
}
