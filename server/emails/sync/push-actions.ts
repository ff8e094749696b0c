import { inTransaction } from '../../database/transaction.ts'
import { ImapFailure, type Relocated } from '../../gateways/imap.ts'
import { holdsMailbox } from '../../mailboxes/mailboxes.ts'
import {
  type Account,
  dropPlaces,
  losePlaces,
  noteRefused,
  placesOf,
  type Refused,
  settleActions,
  takeDueActions,
} from './pending-actions-store.ts'
import {
  type FolderPlan,
  type MailPlace,
  type PendingAction,
  planActions,
  type Target,
} from './plan-actions.ts'
import { checkPass, MailboxTaken, select, type SyncPass } from './sync-pass.ts'
import { isLost } from './fetch-messages.ts'
import { removesViaTrash, findTargetFolder } from './find-target-folder.ts'
import { insertLocations, type UidSpace } from '../messages/locations-store.ts'
import type { Tx } from '../../database/handles.ts'

/** Mails told of at once; a command holds no more UIDs either. */
const AT_ONCE = 500
/** So many refusals and it is given up: after about eight minutes. */
const GIVE_UP_AFTER = 5
/** A command for many mails that is refused is tried for parts of them, up to this many refusals in one go. */
const REFUSALS_AT_ONCE = 20

/** One go at telling the server; what it refused stays with the mails it was about. */
type Push = {
  turn: SyncPass
  account: Account
  actions: ReadonlyMap<number, PendingAction>
  targets: Map<Target, string>
  refused: Map<number, Refused>
  /** Mails that are only half way. */
  unfinished: Set<number>
  refusals: number
}

/**
 * Tells the account's server what was done with mails here: marks by STORE, folders by MOVE. Comes before reading, so
 * that what the server does not know yet is not overwritten by what it says.
 *
 * @throws ImapFailure when the connection is lost; MailboxTaken
 */
export async function pushActions(turn: SyncPass): Promise<void> {
  const { context, mailbox } = turn
  const account = { userId: mailbox.user_id, mailboxId: mailbox.id }
  for (;;) {
    const due = await takeDueActions(context.db, account, context.clock.now(), AT_ONCE)
    if (due.length === 0) return
    await pushSome(turn, account, due)
    if (due.length < AT_ONCE) return
    checkPass(turn)
  }
}

async function pushSome(turn: SyncPass, account: Account, due: readonly PendingAction[]): Promise<void> {
  const { context } = turn
  const places = await placesOf(
    context.db,
    account,
    due.map(({ emailId }) => emailId),
  )
  const push: Push = {
    turn,
    account,
    actions: new Map(due.map((action) => [action.emailId, action])),
    targets: new Map(),
    refused: new Map(),
    unfinished: new Set(),
    refusals: 0,
  }
  for (const plan of planActions(due, places, removesViaTrash(turn))) await inFolder(push, plan)
  const placed = new Set(places.map(({ emailId }) => emailId))
  // What is in no folder waits: it is being filed, or was moved by somebody else and will be found.
  const done = due.filter(
    ({ emailId }) => placed.has(emailId) && !push.refused.has(emailId) && !push.unfinished.has(emailId),
  )
  await inHeld(push, async (tx) => {
    await settleActions(tx, account, done)
    await noteRefused(tx, account, [...push.refused.values()], context.clock.now(), GIVE_UP_AFTER)
    if (push.refused.size > 0) await context.live.publish(tx, account.userId, { topic: 'mailboxes' })
  })
}

/** Does what is to be done in one folder; what it refuses is noted with its mails, and the next folder comes. */
async function inFolder(push: Push, plan: FolderPlan): Promise<void> {
  try {
    if (!(await openForWriting(push, plan))) {
      for (const { emailId } of plan.places) push.unfinished.add(emailId)
      return
    }
    const here = await stillHere(push, plan)
    const only = (mails: readonly MailPlace[]) => mails.filter((place) => here.has(place.uid))
    await mark(push, only(plan.seen), { add: ['\\Seen'] })
    await mark(push, only(plan.unseen), { remove: ['\\Seen'] })
    await mark(push, only(plan.flagged), { add: ['\\Flagged'] })
    await mark(push, only(plan.unflagged), { remove: ['\\Flagged'] })
    for (const [target, mails] of plan.moves) await move(push, plan, target, only(mails))
    await expunge(push, plan, only(plan.expunge))
  } catch (error) {
    refuse(push, plan.places, plan.path, error)
  }
}

/** False when the folder has been numbered anew: what is noted of its mails means nothing any more. */
async function openForWriting({ turn }: Push, { path, uidValidity }: FolderPlan): Promise<boolean> {
  turn.selected = null
  const status = await turn.session.openFolder(path, false)
  return status.uidValidity === uidValidity
}

/** The UIDs that are still there. The others were moved or removed by somebody else, or by us when an answer was lost. */
async function stillHere(push: Push, plan: FolderPlan): Promise<Set<number>> {
  const uids = plan.places.map(({ uid }) => uid)
  const there = await push.turn.session.stillThere(uids)
  const gone = plan.places.filter(({ uid }) => !there.has(uid))
  if (gone.length > 0) {
    for (const { emailId } of gone) push.unfinished.add(emailId)
    const now = push.turn.context.clock.now()
    await inHeld(push, (tx) => losePlaces(tx, spaceOf(push, plan), uidsOf(gone), now, true))
  }
  return there
}

async function mark(
  push: Push,
  mails: readonly MailPlace[],
  change: { add?: string[]; remove?: string[] },
): Promise<void> {
  if (mails.length === 0) return
  try {
    await push.turn.session.setFlags(uidsOf(mails), change)
  } catch (error) {
    refuse(push, mails, mails[0]?.path ?? '', error)
  }
}

/** Moves mails, and notes where they are now in the same step; where the server does not say, they are looked for. */
async function move(
  push: Push,
  plan: FolderPlan,
  target: Target,
  mails: readonly MailPlace[],
): Promise<void> {
  if (mails.length === 0) return
  const { session } = push.turn
  const path = await targetPath(push, plan, target)
  if (path === plan.path) return
  const left = session.supports('MOVE') ? mails : await finishCopies(push, plan, path, mails)
  await bySome(push, plan, left, async (some) => {
    const relocated = await session.relocate(uidsOf(some), path)
    if (!relocated.copied) return noteMoved(push, plan, path, some, relocated)
    await bySome(push, plan, some, async (part) => {
      await session.expunge(uidsOf(part))
      await noteMoved(push, plan, path, part, relocated)
    })
  })
  // Removed for good in the next go, out of the trash.
  for (const { emailId } of mails)
    if (push.actions.get(emailId)?.folder === 'deleted') push.unfinished.add(emailId)
}

async function noteMoved(
  push: Push,
  plan: FolderPlan,
  path: string,
  mails: readonly MailPlace[],
  { uidValidity, moved }: Relocated,
): Promise<void> {
  const from = spaceOf(push, plan)
  const arrived = uidValidity === null ? [] : mails.filter(({ uid }) => moved.has(uid))
  const unsaid = mails.filter((place) => !arrived.includes(place))
  await inHeld(push, async (tx) => {
    await dropPlaces(tx, from, uidsOf(arrived))
    const places = arrived.map(({ uid, emailId }) => ({ uid: moved.get(uid) ?? 0, emailId }))
    await insertLocations(tx, { ...from, path, uidValidity: uidValidity ?? '' }, places)
    await losePlaces(tx, from, uidsOf(unsaid), push.turn.context.clock.now(), false)
  })
}

/** The folder is looked up or made before the first mail goes there; then ours is open again. */
async function targetPath(push: Push, plan: FolderPlan, target: Target): Promise<string> {
  const known = push.targets.get(target)
  if (known !== undefined) return known
  const path = await findTargetFolder(push.turn, target)
  push.targets.set(target, path)
  await openForWriting(push, plan)
  return path
}

/**
 * Without MOVE a lost connection may have left a mail copied and not yet deleted: one that is tried again and is there
 * already is only deleted, so that none is doubled. Gives the others.
 */
async function finishCopies(
  push: Push,
  plan: FolderPlan,
  path: string,
  mails: readonly MailPlace[],
): Promise<readonly MailPlace[]> {
  const { session } = push.turn
  const copied: { place: MailPlace; uid: number }[] = []
  for (const place of mails) {
    const action = push.actions.get(place.emailId)
    if (action === undefined || action.attempts < 2) continue
    const [uid] = await session.findByMessageId(path, action.messageId)
    if (uid !== undefined) copied.push({ place, uid })
  }
  if (copied.length === 0) {
    await openForWriting(push, plan)
    return mails
  }
  const { uidValidity } = await select(push.turn, path)
  await openForWriting(push, plan)
  const places = copied.map(({ place }) => place)
  await session.expunge(uidsOf(places))
  await inHeld(push, async (tx) => {
    await dropPlaces(tx, spaceOf(push, plan), uidsOf(places))
    const found = copied.map(({ place, uid }) => ({ uid, emailId: place.emailId }))
    await insertLocations(tx, { ...spaceOf(push, plan), path, uidValidity }, found)
  })
  return mails.filter((place) => !places.includes(place))
}

async function expunge(push: Push, plan: FolderPlan, mails: readonly MailPlace[]): Promise<void> {
  await bySome(push, plan, mails, async (some) => {
    await push.turn.session.expunge(uidsOf(some))
    await inHeld(push, (tx) => dropPlaces(tx, spaceOf(push, plan), uidsOf(some)))
  })
}

/** Runs a command for all; where it is refused for each half, so that one mail does not hold up the others. */
async function bySome(
  push: Push,
  plan: FolderPlan,
  mails: readonly MailPlace[],
  run: (some: readonly MailPlace[]) => Promise<void>,
): Promise<void> {
  if (mails.length === 0) return
  try {
    await run(mails)
  } catch (error) {
    push.refusals += 1
    if (mails.length === 1 || push.refusals > REFUSALS_AT_ONCE || !isRefusal(push, error)) {
      refuse(push, mails, plan.path, error)
      return
    }
    const half = mails.length >> 1
    await bySome(push, plan, mails.slice(0, half), run)
    await bySome(push, plan, mails.slice(half), run)
  }
}

/** Notes what the server will not do; throws what is no answer of the server's. */
function refuse(push: Push, mails: readonly MailPlace[], path: string, error: unknown): void {
  if (!isRefusal(push, error)) throw error
  push.turn.context.log.warn({ err: error, path, mails: mails.length }, 'the mail server refused an action')
  for (const { emailId } of mails) {
    const version = push.actions.get(emailId)?.version ?? 0
    push.refused.set(emailId, { emailId, version, path, words: error.words || 'The mail server refused.' })
  }
}

function isRefusal({ turn }: Push, error: unknown): error is ImapFailure {
  return error instanceof ImapFailure && !isLost(turn, error)
}

/** Writes down while the account is ours. @throws MailboxTaken */
async function inHeld({ turn, account }: Push, write: (tx: Tx) => Promise<void>): Promise<void> {
  await inTransaction(turn.context.db, async (tx) => {
    if (!(await holdsMailbox(tx, account.userId, account.mailboxId, turn.context.workerId)))
      throw new MailboxTaken()
    await write(tx)
  })
}

function spaceOf({ account }: Push, { path, uidValidity }: FolderPlan): UidSpace {
  return { ...account, path, uidValidity }
}

function uidsOf(places: readonly MailPlace[]): number[] {
  return places.map(({ uid }) => uid)
}
