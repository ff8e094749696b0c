import type { Context } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { NoAccessToken } from '../../../platform/gateways/access-token.ts'
import { DeadlinePassed, withinDeadline } from '../../../platform/gateways/deadline.ts'
import { ImapFailure, type ImapSession, openImap } from '../../../platform/gateways/imap.ts'
import { Refusal } from '../../../platform/errors.ts'
import {
  dialGuardOf,
  imapAccountOf,
  loadFolders,
  mailbox as findMailbox,
  type Mailbox,
} from '../../mailboxes/mailboxes.ts'
import { findSentCopies } from '../messages/find-sent-copies.ts'
import { postponeLookup, queueAgain, settleFound, type Unsure, unsureDue } from './settlements-store.ts'

const UNSURE_AT_ONCE = 200
/** Accounts that are looked up at once. */
const ACCOUNTS_AT_ONCE = 4
/** How long looking up one account's emails may take. */
const LOOK_UP_MS = 60_000
/** How often an email is looked up in an account that cannot be reached … */
const LOOK_UPS_MAX = 3
/** A server that lets nothing be looked up is asked less and less often, up to this wait. */
const LOOK_AGAIN_MAX_MS = 30 * 60_000
/** … and the wait before each further time. After the last it is sent again. */
const LOOK_AGAIN_MS = 30_000

/** Settles unsure emails; see {@link makeUnsureResolver}. */
export type UnsureResolver = {
  /** Starts looking up the unsure emails that are due, account by account in the background. */
  resolveDue(): Promise<void>
  /** Resolves when every lookup started so far has ended. */
  finished(): Promise<void>
}

/**
 * Settles emails of which it is not known whether the server accepted them. One that is in the account's Sent folder did go
 * out. Any other is sent again with the same Message-ID, but never in a loop. Accounts are looked up in the background, so
 * that one that hangs holds up nothing else.
 */
export function makeUnsureResolver(context: Context): UnsureResolver {
  const lookups: Lookups = { underWay: new Set(), failures: new Map(), unanswered: new Map() }
  let last = Promise.resolve()
  return {
    resolveDue: async () => {
      const due = await unsureDue(context.db, context.clock.now(), UNSURE_AT_ONCE)
      const accounts = Map.groupBy(due, ({ userId, mailboxId }) => `${userId}/${mailboxId}`)
      for (const [key, mails] of accounts) {
        if (lookups.underWay.has(key) || lookups.underWay.size >= ACCOUNTS_AT_ONCE) continue
        lookups.underWay.add(key)
        const lookup = resolveAccount(context, lookups, mails)
          .catch((error: unknown) =>
            context.log.warn({ err: error }, 'unsure emails could not be looked up; trying again'),
          )
          .finally(() => lookups.underWay.delete(key))
        last = Promise.all([last, lookup]).then(() => {})
      }
    },
    finished: () => last,
  }
}

type Lookups = {
  /** Accounts that are being looked up, by user and mailbox. */
  underWay: Set<string>
  /** How often an email's account could not be reached, by email id. */
  failures: Map<number, number>
  /** How often the server did not let an email be looked up, by email id. */
  unanswered: Map<number, number>
}

/** The server can be reached, and does not let Sent be looked at. */
const REFUSALS: ReadonlySet<ImapFailure['kind']> = new Set(['refused', 'later'])

async function resolveAccount(context: Context, lookups: Lookups, mails: readonly Unsure[]): Promise<void> {
  const [{ userId, mailboxId } = { userId: 0, mailboxId: 0 }] = mails
  const mailbox = await findMailbox(context.db, userId, mailboxId)
  const remaining = new Set(mails)
  const resolve = (mail: Unsure) => {
    lookups.failures.delete(mail.emailId)
    lookups.unanswered.delete(mail.emailId)
    remaining.delete(mail)
  }
  try {
    const session = mailbox === undefined ? null : await openSession(context, mailbox)
    if (session !== null && mailbox !== undefined) {
      const looking = lookUp(context, session, mailbox, remaining, resolve)
      const canTell = await withinDeadline(LOOK_UP_MS, looking, () => session.close()).finally(() =>
        session.close(),
      )
      if (!canTell) return await postponeAll(context, lookups, remaining)
    }
    for (const mail of remaining) await sendAgain(context, lookups, mail)
  } catch (error) {
    if (!(error instanceof ImapFailure || error instanceof DeadlinePassed || error instanceof Refusal))
      throw error
    if (error instanceof ImapFailure && REFUSALS.has(error.kind))
      return await postponeAll(context, lookups, remaining)
    // Without a token nothing can be sent either, so there is time until the mailbox can sign in again.
    const cannotSignIn = error.cause instanceof NoAccessToken
    for (const mail of remaining)
      await (cannotSignIn ? postpone(context, mail) : tryLater(context, lookups, mail))
  }
}

async function openSession(context: Context, mailbox: Mailbox): Promise<ImapSession | null> {
  const account = imapAccountOf(context, mailbox)
  return account === null ? null : openImap(account, { guard: dialGuardOf(context, mailbox) })
}

/**
 * Looks for each email in the Sent folder, and resolves it either way. Resolves none if there is no Sent folder.
 *
 * @returns false where the server does not let it be seen whether the others are there
 */
async function lookUp(
  context: Context,
  session: ImapSession,
  mailbox: Mailbox,
  mails: ReadonlySet<Unsure>,
  resolve: (mail: Unsure) => void,
): Promise<boolean> {
  const path = await sentPath(context.db, session, mailbox)
  if (path === undefined) return true
  const folder = { userId: mailbox.user_id, mailboxId: mailbox.id, path }
  const { filed, isComplete } = await findSentCopies(context.db, session, folder, [...mails])
  for (const mail of mails) {
    const isThere =
      filed.has(mail.emailId) || (await session.findByMessageId(path, mail.messageId)).length > 0
    if (!isThere && !isComplete) continue
    if (!isThere) {
      await queueAgain(context.db, mail, context.clock.now())
    } else {
      await settleFound(context.db, mail, context.clock.now())
      await context.live.publish(context.db, mail.userId, { topic: 'emails' })
    }
    resolve(mail)
  }
  return isComplete
}

async function sentPath(db: Queryable, session: ImapSession, mailbox: Mailbox): Promise<string | undefined> {
  const known = await loadFolders(db, mailbox.user_id, mailbox.id)
  const path = known.find(({ role }) => role === 'sent')?.path
  return path ?? (await session.listFolders()).find(({ role }) => role === 'sent')?.path
}

async function sendAgain(context: Context, lookups: Lookups, mail: Unsure): Promise<void> {
  lookups.failures.delete(mail.emailId)
  await queueAgain(context.db, mail, context.clock.now())
}

async function tryLater(context: Context, lookups: Lookups, mail: Unsure): Promise<void> {
  const failures = (lookups.failures.get(mail.emailId) ?? 0) + 1
  if (failures >= LOOK_UPS_MAX) return sendAgain(context, lookups, mail)
  lookups.failures.set(mail.emailId, failures)
  return postpone(context, mail)
}

/** Sent again without knowing, an email might arrive twice. */
async function postponeAll(context: Context, lookups: Lookups, mails: Iterable<Unsure>): Promise<void> {
  for (const mail of mails) {
    const times = (lookups.unanswered.get(mail.emailId) ?? 0) + 1
    lookups.unanswered.set(mail.emailId, times)
    await postpone(context, mail, Math.min(LOOK_AGAIN_MS * 2 ** (times - 1), LOOK_AGAIN_MAX_MS))
  }
}

async function postpone(context: Context, mail: Unsure, wait = LOOK_AGAIN_MS): Promise<void> {
  return postponeLookup(context.db, mail, new Date(context.clock.now().getTime() + wait))
}
