import type { Context } from '../../../platform/context.ts'
import {
  openSmtp,
  type SmtpAccount,
  SmtpFailure,
  type SmtpMail,
  type SmtpSession,
} from '../../../platform/gateways/smtp.ts'
import type { Settlement } from '../../../platform/jobs/delivery.ts'
import { type ComposedMail, UnsendableAddress } from '../../../formats/mail-text/compose.ts'
import type { DialGuard } from '../../../platform/security/addresses.ts'
import type { MailToRender } from '../content/render-mime.ts'
import type { Claim } from './claims-store.ts'
import { acceptedOutcome, failedOutcome, type SendOutcome } from './classify-outcome.ts'

/** How a mailbox sends. */
export type Route = {
  account: SmtpAccount
  guard: DialGuard
  render: (mail: MailToRender) => Promise<ComposedMail>
  /** True if nobody has to put sent emails into an IMAP folder. */
  needsNoSentCopy: boolean
}

/** A claim; with its rendered email if it was rendered ahead of time. */
export type PreparedClaim = { claim: Claim; mail: SmtpMail | undefined }

/** The email that comes next on the same connection. Its envelope can go out with the final dot of the current one. */
export type Lookahead = {
  /** Claims and renders the next email, if there is one. Never rejects. */
  prepare(): Promise<void>
  /** The next email, if it could be rendered. */
  mail(): SmtpMail | undefined
}

/** What came of an attempt. A failure is not settled yet; see {@link settleFailure}. */
export type SendResult =
  | { status: 'accepted'; outcome: SendOutcome }
  | { status: 'failed'; outcome: SendOutcome; error: unknown; failure: SmtpFailure; wasConnecting: boolean }
  /** Another worker has the email, or it is held or withdrawn: nothing was sent. */
  | { status: 'claim lost' }

/** One connection through which emails go out one after the other. It is opened when an email needs it. */
export type SendSession = {
  context: Context
  route: Route
  /** Opens the connection unless it is usable. @throws {SmtpFailure} */
  connect(): Promise<SmtpSession>
  /** Marks an email as committed, and settles the previous one with it. @throws {ClaimLost} */
  mark(claim: Claim): Promise<void>
  /** Records that the server accepted an email. It is settled with the next mark, or by `flush`. */
  accepted(settlement: Settlement): void
  /** Settles the last accepted email, unless that is done. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** The claim was lost before the final dot: another worker has the email, or it is held or withdrawn. */
class ClaimLost extends Error {}

/** A send session; `onConnected` is called the first time that the server lets it in. Close it in the end. */
export function startSendSession(context: Context, route: Route, onConnected?: () => void): SendSession {
  const { settlementWriter } = context.delivery
  const connection = settlementWriter.addConnection()
  let smtp: SmtpSession | undefined
  let hasConnected = false
  // The last email that the server accepted and the database does not know of yet. Never more than one.
  let unsettled: Settlement | null = null
  const flush = async () => {
    if (unsettled === null) return
    const last: Settlement = unsettled
    unsettled = null
    await settlementWriter.settle(last)
  }
  return {
    context,
    route,
    connect: async () => {
      if (smtp?.usable === true) return smtp
      await flush()
      smtp = await openSmtp(route.account, { guard: route.guard })
      if (!hasConnected) onConnected?.()
      hasConnected = true
      return smtp
    },
    mark: async (claim) => {
      if (!(await settlementWriter.mark(claim, unsettled))) throw new ClaimLost('The claim is lost')
      unsettled = null
    },
    accepted: (settlement) => {
      unsettled = settlement
      connection.recordAcceptance(settlement)
    },
    flush,
    close: async () => {
      smtp?.close()
      await flush().finally(connection.remove)
    },
  }
}

/**
 * Sends one claimed email. The final dot is written only after the email is marked as committed. A failure of any kind is
 * an outcome; only the database can make this throw.
 */
export async function sendOne(
  session: SendSession,
  { claim, mail }: PreparedClaim,
  lookahead?: Lookahead,
): Promise<SendResult> {
  const { context, route } = session
  const attempt = () => ({ claim, now: context.clock.now(), inSentFolder: route.needsNoSentCopy })
  let connecting = true
  let marking: Promise<void> | undefined
  try {
    const smtp = await session.connect()
    connecting = false
    const { envelope, raw } = mail ?? (await renderClaim(route, claim))
    // The mark is written while the envelope and the body travel; the final dot waits for it.
    marking = session.mark(claim)
    const marked = marking
    marked.catch(() => {})
    const beforeFinalDot = async () => {
      await lookahead?.prepare()
      await marked
    }
    const acceptance = await smtp.send(envelope, raw, beforeFinalDot, () => lookahead?.mail())
    const outcome = acceptedOutcome(attempt(), acceptance)
    session.accepted(outcome.settlement)
    return { status: 'accepted', outcome }
  } catch (error) {
    // Whatever went wrong, the mark must be written before the email is settled.
    await marking?.catch(() => {})
    await session.flush()
    if (error instanceof ClaimLost) return { status: 'claim lost' }
    const failure = failureOf(error)
    const outcome = failedOutcome(attempt(), failure, connecting)
    return { status: 'failed', outcome, error, failure, wasConnecting: connecting }
  }
}

/** Settles a failed attempt, and logs a failure that is ours rather than the server's. */
export async function settleFailure(
  { delivery, log }: Context,
  { outcome, error, failure }: Extract<SendResult, { status: 'failed' }>,
): Promise<void> {
  await delivery.settlementWriter.settle(outcome.settlement)
  if (failure !== error)
    log.warn(
      { err: error, emailId: outcome.settlement.emailId },
      'an email could not be prepared for sending',
    )
}

/** A claimed email as it goes to the server. */
export async function renderClaim(route: Route, claim: Claim): Promise<SmtpMail> {
  const { raw, envelope } = await route.render(claim)
  return { envelope: { from: envelope.from, to: claim.recipients }, raw }
}

/** An address that cannot be written fails for good. Any other trouble is ours, and the email is tried again. */
function failureOf(error: unknown): SmtpFailure {
  if (error instanceof SmtpFailure) return error
  if (error instanceof UnsendableAddress) return new SmtpFailure('refused', error.message)
  return new SmtpFailure('later', 'Howl could not prepare this email. It will try again.')
}
