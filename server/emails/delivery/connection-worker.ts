import type { Context } from '../../context.ts'
import {
  openSmtp,
  SmtpFailure,
  type SmtpAccount,
  type SmtpMail,
  type SmtpSession,
} from '../../gateways/smtp.ts'
import type { DialGuard } from '../../security/addresses.ts'
import { type ComposedMail, UnsendableAddress } from '../../mail/compose.ts'
import { settlementWriterOf } from './settlement-writer.ts'
import { failed, type SendOutcome, taken } from './classify-outcome.ts'
import type { Claim } from './claims-store.ts'
import type { Settlement } from './settlements-store.ts'
import type { OutgoingMail } from '../content/render-mime.ts'

/** One account to send through, and what its lanes tell. */
export type Route = {
  account: SmtpAccount
  guard: DialGuard
  compose: (mail: OutgoingMail) => Promise<ComposedMail>
  /** True where nobody has to put sent mail into an IMAP folder. */
  filesNothing: boolean
}

/** Thrown before a final dot when another worker has taken the mail over meanwhile. */
class ClaimLost extends Error {}

/** Where a lane's mails come from. */
export type ClaimSource = {
  /** A claimed mail; undefined at the end, or, unless the lane `mayWait`, when none is at hand. */
  next(mayWait: boolean): Promise<Claim | undefined>
  /** A claimed mail if one is at hand. */
  atHand(): Claim | undefined
  /** Takes a claim back that a lane has not begun. */
  back(claim: Claim): void
  /** True when nothing more may begin. */
  over(): boolean
  /** A claim turned out to be somebody else's, or to be held: others at hand may be so too. */
  lost(claim: Claim): Promise<void>
  /** The account has let this lane in. */
  opened(): void
  /**
   * This lane was not let in. True when other lanes were: then the account allows only so many connections, the claim
   * has gone back to them, and this lane ends.
   */
  crowded(claim: Claim): boolean
  /** This lane is one too many for the account. True when others go on without it, which then ends. */
  narrow(): boolean
}

/**
 * One connection that sends one mail after the other, as long as `source` has any. `report` hears
 * each outcome once it is, or is about to be, written down.
 */
export async function runConnectionWorker(
  context: Context,
  route: Route,
  source: ClaimSource,
  report: (outcome: SendOutcome) => void,
): Promise<void> {
  const ledger = settlementWriterOf(context)
  const seat = ledger.join()
  let session: SmtpSession | undefined
  let letIn = false
  // The last mail that the server took and the table does not know of yet. Never more than one.
  let open: Settlement | null = null
  const close = async () => {
    if (open === null) return
    const last: Settlement = open
    open = null
    await ledger.settle(last)
  }
  const mark = async (mail: Claim) => {
    if (!(await ledger.mark(mail, open))) throw new ClaimLost('Another worker has this mail')
    open = null
  }
  // The mail after the one under way: made ready while that one's mark is written, so that its envelope can go with
  // that one's final dot.
  let coming: { claim: Claim; mail: SmtpMail | undefined } | undefined
  const prepare = async () => {
    const claim = coming === undefined ? source.atHand() : undefined
    if (claim === undefined) return
    coming = { claim, mail: undefined }
    // What is wrong with it is said at its turn.
    coming.mail = await compose(route, claim).catch(() => undefined)
  }
  const take = async () => {
    const ready = coming
    coming = undefined
    if (ready !== undefined && source.over()) {
      source.back(ready.claim)
      return undefined
    }
    if (ready !== undefined) return ready
    let claim = await source.next(false)
    if (claim === undefined) {
      await close()
      claim = await source.next(true)
    }
    return claim === undefined ? undefined : { claim, mail: undefined }
  }

  try {
    for (;;) {
      const next = await take()
      if (next === undefined) return
      const mail = next.claim
      const of = () => ({ claim: mail, now: context.clock.now(), inSentFolder: route.filesNothing })
      let opening = true
      let marking: Promise<void> | undefined
      try {
        if (session?.usable !== true) {
          await close()
          session = await openSmtp(route.account, { guard: route.guard })
          if (!letIn) source.opened()
          letIn = true
        }
        opening = false
        const { envelope, raw } = next.mail ?? (await compose(route, mail))
        // The mark is written while the envelope and the body travel; the final dot waits for it.
        marking = mark(mail)
        const marked = marking
        marked.catch(() => {})
        const beforeFinalDot = async () => {
          await prepare()
          await marked
        }
        const receipt = await session.send(envelope, raw, beforeFinalDot, () => coming?.mail)
        const outcome = taken(of(), receipt)
        open = outcome.settlement
        seat.took(open)
        report(outcome)
      } catch (error) {
        // Settling comes after the mark, whatever went wrong in between.
        await marking?.catch(() => {})
        await close()
        if (error instanceof ClaimLost) {
          await source.lost(mail)
          continue
        }
        const failure = failureOf(error)
        if (opening && failure.kind !== 'auth' && source.crowded(mail)) return
        const outcome = failed(of(), failure, opening)
        const tooMany = outcome.crowded === true && source.narrow()
        await ledger.settle(outcome.settlement)
        report({ ...outcome, crowded: tooMany })
        if (tooMany) return
        if (failure !== error)
          context.log.warn({ err: error, emailId: mail.emailId }, 'a mail could not be made ready')
      }
    }
  } finally {
    if (coming !== undefined) source.back(coming.claim)
    session?.close()
    await close().finally(seat.leave)
  }
}

/** A claimed mail as it goes to the server. */
async function compose(route: Route, claim: Claim): Promise<SmtpMail> {
  const { raw, envelope } = await route.compose(claim)
  return { envelope: { from: envelope.from, to: claim.recipients }, raw }
}

/** An address that cannot be written is refused; any other trouble is ours, and the mail is tried again. */
function failureOf(error: unknown): SmtpFailure {
  if (error instanceof SmtpFailure) return error
  if (error instanceof UnsendableAddress) return new SmtpFailure('refused', error.message)
  return new SmtpFailure('later', 'Howl could not make this mail ready. It is tried again.')
}
