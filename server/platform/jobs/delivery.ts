import type { Tx } from '../database/handles.ts'
import type { JournalFile } from '../gateways/journal-file.ts'
import type { SendLoad } from './send-load.ts'

/** One attempt at sending one email. */
export type ClaimKey = { userId: number; emailId: number; attempt: number }

/** How an attempt ended. `nextTryAt` counts for `deferred` and `unsure`. */
export type Settlement = ClaimKey & {
  state: 'sent' | 'deferred' | 'failed' | 'unsure'
  reason: string | null
  nextTryAt: Date
  at: Date
  /** True if nobody has to put the email into the IMAP Sent folder. */
  inSentFolder: boolean
}

/**
 * Writes the progress of emails to the database. All connections of a process share one writer: while one write is under
 * way, the next ones gather and are written together, so that many connections need few commits.
 */
export type SettlementWriter = {
  /** Writes how an attempt ended. Resolves once that is committed. */
  settle(settlement: Settlement): Promise<void>
  /**
   * Marks an email as committed, which means that its final dot is next, and before it writes how the same connection's
   * previous email ended. So each connection leaves at most one accepted email unrecorded. Resolves to false if the claim
   * is lost and the dot must not be written.
   */
  mark(claim: ClaimKey, previous: Settlement | null): Promise<boolean>
  /** Registers a connection that is about to send. */
  addConnection(): WriterConnection
}

/** One connection, as the settlement writer knows it. */
export type WriterConnection = {
  /** Records on disk at once that the server has accepted an email. Its attempt still has to be settled. */
  recordAcceptance(settlement: Settlement): void
  /** Ends the registration: this connection sends nothing more. */
  remove(): void
}

/** How many connections the servers of mailboxes allow, as far as this process has found out. */
export type ConnectionLimits = {
  /** How many connections to open to a mailbox's server at once. */
  of(mailboxId: number): number
  /** Records that the server allows no more than `connections`. This process does not try more for an hour. */
  lower(mailboxId: number, connections: number): void
}

/** A mailbox in which this process may have claims that no mailbox run knows of. */
export type LeakSuspect = {
  userId: number
  mailboxId: number
  /** When to stop looking, in milliseconds since the epoch. */
  until: number
  /** Emails whose claims were unknown at the previous look. */
  unknownBefore: ReadonlySet<number>
}

/** An account of a user. */
export type Account = { userId: number; mailboxId: number }

/** What the domains that queue mails of groups are asked before one of these leaves. */
export type GroupMail = {
  /** Whether a mail may be sent again. @returns why not, without a full stop; null: it may */
  checkResend(tx: Tx, userId: number, emailId: number): Promise<string | null>
  /**
   * Judges mails that were claimed and are about to leave: what held when they were queued may hold no longer.
   *
   * @returns those that do not leave now: they were taken back, or wait in the queue again
   */
  judge(account: Account, emailIds: readonly number[]): Promise<ReadonlySet<number>>
}

/** What one process keeps in memory about the emails that it sends. */
export type Delivery = {
  /** On disk: which emails servers have accepted. */
  journal: JournalFile
  load: SendLoad
  settlementWriter: SettlementWriter
  groupMail: GroupMail
  connectionLimits: ConnectionLimits
  /** By user and mailbox. */
  leakSuspects: Map<string, LeakSuspect>
}
