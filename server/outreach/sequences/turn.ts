import { type Writer } from '../briefs/briefs.ts'
import type { UserRow } from '../../accounts/auth/auth.ts'
import type { ContactToMail } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import type { LastMail } from './due-store.ts'
import type { MemberRow } from './members-store.ts'
import type { SequenceRow } from './store.ts'
import type { Deed, MailStep } from './walk-steps.ts'

/** What waits for the user, not for a time, is looked at again after this. */
export const LOOK_AGAIN_MS = 10 * 60_000

/** One transaction in which some members of one sequence do their steps. */
export type Turn = {
  context: Context
  tx: Tx
  user: UserRow
  sequence: SequenceRow
  now: Date
  /** The user's time zone. */
  zone: string
  /** Sequences with members that are due and that send through the same account: each gets its part of a slot, and of the day. */
  sharers: number
}

/** What the turn has read of its members. */
export type Known = {
  contacts: ReadonlyMap<number, ContactToMail>
  writer: Writer
  /** The newest mail of the sequence to each member that has one. */
  last: ReadonlyMap<number, LastMail>
}

/** A member before a mail, with all that the mail needs. */
export type Candidate = { member: MemberRow; contact: ContactToMail; step: MailStep }

/** A task or a tag that a member came by. */
export type MembersDeed = { member: MemberRow; deed: Deed }
