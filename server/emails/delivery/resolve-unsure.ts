import type { Context } from '../../context.ts'
import { DeadlinePassed, withinDeadline } from '../../gateways/deadline.ts'
import { ImapFailure, type ImapSession, openImap } from '../../gateways/imap.ts'
import { Refusal } from '../../errors.ts'
import {
  dialGuardOf,
  imapAccountOf,
  loadFolders,
  mailbox as findMailbox,
  type Mailbox,
} from '../../mailboxes/mailboxes.ts'
import { lookLater, sendOnceMore, settleFound, type Unsure, unsureDue } from './settlements-store.ts'

const UNSURE_AT_ONCE = 200
/** Accounts that are looked into at once. */
const ACCOUNTS_AT_ONCE = 4
/** Looking up one account's mails may take this long. */
const LOOK_UP_MS = 60_000
/** When the account cannot be reached the mail is looked up again later, so often … */
const LOOK_UPS_MAX = 3
/** … and after this long each time; then it goes out once more. */
const LOOK_AGAIN_MS = 30_000

type Lookups = { underWay: Set<string>; tries: Map<number, number>; last: Promise<void> }
const lookups = new WeakMap<Context, Lookups>()

/**
 * Settles mails of which it is not known whether the server took them: one that is found in the account's Sent folder
 * did go out; any other goes out once more, with the same Message-ID, never in a loop. Accounts are looked into
 * in the background, so that one that hangs keeps nothing else waiting; `last` of the answer resolves when all are done.
 */
export async function resolveUnsure(context: Context): Promise<{ last: Promise<void> }> {
  const state = lookups.get(context) ?? { underWay: new Set(), tries: new Map(), last: Promise.resolve() }
  lookups.set(context, state)
  const due = await unsureDue(context.db, context.clock.now(), UNSURE_AT_ONCE)
  const groups = Map.groupBy(due, ({ userId, mailboxId }) => `${userId}/${mailboxId}`)
  for (const [key, mails] of groups) {
    if (state.underWay.has(key) || state.underWay.size >= ACCOUNTS_AT_ONCE) continue
    state.underWay.add(key)
    const run = resolveAccount(context, state, mails)
      .catch((error: unknown) =>
        context.log.warn({ err: error }, 'unsure mails could not be looked up; it is tried again'),
      )
      .finally(() => state.underWay.delete(key))
    state.last = Promise.all([state.last, run]).then(() => {})
  }
  return { last: state.last }
}

async function resolveAccount(context: Context, state: Lookups, mails: readonly Unsure[]): Promise<void> {
  const [{ userId, mailboxId } = { userId: 0, mailboxId: 0 }] = mails
  const mailbox = await findMailbox(context.db, userId, mailboxId)
  const left = new Set(mails)
  try {
    const session = mailbox === undefined ? null : await dial(context, mailbox)
    if (session !== null && mailbox !== undefined) {
      await withinDeadline(LOOK_UP_MS, lookUp(context, session, mailbox, left), () =>
        session.close(),
      ).finally(() => session.close())
    }
    for (const mail of left) await settleMissing(context, state, mail)
  } catch (error) {
    if (!(error instanceof ImapFailure || error instanceof DeadlinePassed || error instanceof Refusal))
      throw error
    for (const mail of left) await tryLater(context, state, mail)
  }
}

async function dial(context: Context, mailbox: Mailbox): Promise<ImapSession | null> {
  const account = imapAccountOf(context, mailbox)
  return account === null ? null : openImap(account, { guard: dialGuardOf(context, mailbox) })
}

/** Takes out of `left` what is found. */
async function lookUp(
  context: Context,
  session: ImapSession,
  mailbox: Mailbox,
  left: Set<Unsure>,
): Promise<void> {
  const path = await sentPath(context, session, mailbox)
  if (path === undefined) return
  for (const mail of left) {
    const there = await session.findByMessageId(path, mail.messageId)
    if (there.length === 0) {
      await sendOnceMore(context.db, mail, context.clock.now())
    } else {
      await settleFound(context.db, mail, context.clock.now())
      await context.live.publish(context.db, mail.userId, { topic: 'emails' })
    }
    lookups.get(context)?.tries.delete(mail.emailId)
    left.delete(mail)
  }
}

async function sentPath(
  context: Context,
  session: ImapSession,
  mailbox: Mailbox,
): Promise<string | undefined> {
  const known = await loadFolders(context.db, mailbox.user_id, mailbox.id)
  const path = known.find(({ role }) => role === 'sent')?.path
  return path ?? (await session.listFolders()).find(({ role }) => role === 'sent')?.path
}

async function settleMissing(context: Context, state: Lookups, mail: Unsure): Promise<void> {
  state.tries.delete(mail.emailId)
  await sendOnceMore(context.db, mail, context.clock.now())
}

async function tryLater(context: Context, state: Lookups, mail: Unsure): Promise<void> {
  const tries = (state.tries.get(mail.emailId) ?? 0) + 1
  if (tries >= LOOK_UPS_MAX) return settleMissing(context, state, mail)
  state.tries.set(mail.emailId, tries)
  return lookLater(context.db, mail, new Date(context.clock.now().getTime() + LOOK_AGAIN_MS))
}
