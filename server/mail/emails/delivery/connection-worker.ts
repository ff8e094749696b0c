import type { Context } from '../../../platform/context.ts'
import type { Claim } from './claims-store.ts'
import type { SendOutcome } from './classify-outcome.ts'
import {
  type Lookahead,
  type PreparedClaim,
  renderClaim,
  type Route,
  sendOne,
  type SendResult,
  type SendSession,
  settleFailure,
  startSendSession,
} from './send-one.ts'

/** Where the connection workers of a mailbox run get their emails from, and what they tell it. */
export type ClaimSource = {
  /** A claim; undefined at the end or, unless the worker `mayWait`, while the next claims are being made. */
  next(mayWait: boolean): Promise<Claim | undefined>
  /** A claim that needs no waiting for. */
  nextBuffered(): Claim | undefined
  /** Takes back a claim that a worker has not begun to send. */
  putBack(claim: Claim): void
  /** True once no further email may begin. */
  isStopped(): boolean
  /** A claim turned out to be lost: others in the buffer may be lost too. */
  claimLost(claim: Claim): Promise<void>
  /** The server let a worker in. */
  connectionOpened(): void
  /**
   * The server did not let a worker in. True if it let others in: then the account allows only so many connections, the
   * claim is back in the buffer for them, and the worker ends.
   */
  connectionRefused(claim: Claim): boolean
  /** The server says that there are too many connections. True if others go on: then the worker ends. */
  dropConnection(): boolean
}

/**
 * One connection that sends email after email as long as `source` has any. `report` receives each outcome once it is
 * written down or about to be.
 */
export async function runConnectionWorker(
  context: Context,
  route: Route,
  source: ClaimSource,
  report: (outcome: SendOutcome) => void,
): Promise<void> {
  const session = startSendSession(context, route, () => source.connectionOpened())
  const ahead = makeLookahead(route, source)
  try {
    for (;;) {
      const next = await nextClaim(session, source, ahead)
      if (next === undefined) return
      const result = await sendOne(session, next, ahead)
      if (result.status === 'accepted') report(result.outcome)
      else if (result.status === 'claim lost') await source.claimLost(next.claim)
      else if (await endsWorker(context, source, next.claim, result, report)) return
    }
  } finally {
    const unused = ahead.take()
    if (unused !== undefined) source.putBack(unused.claim)
    await session.close()
  }
}

/** Settles and reports a failed attempt. True if the server allows too few connections for this worker to go on. */
async function endsWorker(
  context: Context,
  source: ClaimSource,
  claim: Claim,
  result: Extract<SendResult, { status: 'failed' }>,
  report: (outcome: SendOutcome) => void,
): Promise<boolean> {
  const { outcome, failure, wasConnecting } = result
  if (wasConnecting && failure.kind !== 'auth' && source.connectionRefused(claim)) return true
  const isTooMany = outcome.tooManyConnections === true && source.dropConnection()
  await settleFailure(context, result)
  report({ ...outcome, tooManyConnections: isTooMany })
  return isTooMany
}

/** What to send next. Before it waits for more claims, it settles the last email. */
async function nextClaim(
  session: SendSession,
  source: ClaimSource,
  ahead: ReturnType<typeof makeLookahead>,
): Promise<PreparedClaim | undefined> {
  const prepared = ahead.take()
  if (prepared !== undefined && source.isStopped()) {
    source.putBack(prepared.claim)
    return undefined
  }
  if (prepared !== undefined) return prepared
  let claim = await source.next(false)
  if (claim === undefined) {
    await session.flush()
    claim = await source.next(true)
  }
  return claim === undefined ? undefined : { claim, mail: undefined }
}

/** Prepares the next email while the current one's mark is written. */
function makeLookahead(route: Route, source: ClaimSource): Lookahead & { take(): PreparedClaim | undefined } {
  let next: PreparedClaim | undefined
  return {
    prepare: async () => {
      const claim = next === undefined ? source.nextBuffered() : undefined
      if (claim === undefined) return
      const prepared: PreparedClaim = { claim, mail: undefined }
      next = prepared
      // An email that cannot be rendered fails when it is its turn to be sent.
      prepared.mail = await renderClaim(route, claim).catch(() => undefined)
    },
    mail: () => next?.mail,
    take: () => {
      const taken = next
      next = undefined
      return taken
    },
  }
}
