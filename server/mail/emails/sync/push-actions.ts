import { ImapFailure, type Relocated } from '../../../platform/gateways/imap.ts'
import {
  type Account,
  dropLocations,
  loseLocations,
  noteRefused,
  locationsOf,
  type Refused,
  completeActions,
  reviveActions,
  takeDueActions,
} from './pending-actions-store.ts'
import {
  type FolderPlan,
  type MailLocation,
  type PendingAction,
  planActions,
  type Target,
} from './plan-actions.ts'
import { UNREADABLE_GROWTH } from './poll-intervals.ts'
import { accountOf, checkPass, select, selectForWriting, type SyncPass, whileHeld } from './sync-pass.ts'
import { isLost } from './fetch-messages.ts'
import { isOfItem, type LaterItems } from './put-aside.ts'
import { verifiedUids } from './verify-uids.ts'
import { removesViaTrash, findTargetFolder } from './find-target-folder.ts'
import { mailDigest } from '../ingest/mail-digest.ts'
import { insertLocations, type UidSpace } from '../messages/locations-store.ts'
import type { Tx } from '../../../platform/database/handles.ts'

/** Actions pushed at once; a command also holds no more UIDs than this. */
const AT_ONCE = 500
/** An action is given up after this many refusals, about eight minutes, and then tried seldom. */
const GIVE_UP_AFTER = 5
/** What the server wants to do later is given up after this many refusals, about four hours. */
const GIVE_UP_LATER_AFTER = 30
/** When a command for many messages is refused, its parts are tried, up to this many refusals per batch. */
const REFUSALS_AT_ONCE = 20

/** One batch of actions being pushed. What the server refuses is recorded per message. */
type Push = {
  pass: SyncPass
  account: Account
  actions: ReadonlyMap<number, PendingAction>
  targets: Map<Target, string>
  refused: Map<number, Refused>
  /** Messages that still need another step. */
  unfinished: Set<number>
  refusals: number
  later: LaterItems
  /** Whether the folder that is selected says its UIDVALIDITY. */
  hasLastingUids: boolean
}

/**
 * Pushes pending actions to the account's server: flags by STORE, folders by MOVE. Runs before the folders are read, so
 * that the server's old state does not overwrite a fresh change.
 *
 * @throws ImapFailure when the connection is lost; MailboxTaken
 */
export async function pushActions(pass: SyncPass): Promise<void> {
  const { context } = pass
  const account = accountOf(pass)
  await reviveActions(context.db, account, context.clock.now())
  for (;;) {
    const due = await takeDueActions(context.db, account, context.clock.now(), AT_ONCE)
    if (due.length === 0) return
    await pushBatch(pass, account, due)
    if (due.length < AT_ONCE) return
    checkPass(pass)
  }
}

async function pushBatch(pass: SyncPass, account: Account, due: readonly PendingAction[]): Promise<void> {
  const { context } = pass
  const locations = await locationsOf(
    context.db,
    account,
    due.map(({ emailId }) => emailId),
  )
  const push: Push = {
    pass,
    account,
    actions: new Map(due.map((action) => [action.emailId, action])),
    targets: new Map(),
    refused: new Map(),
    unfinished: new Set(),
    refusals: 0,
    later: { inARow: 0 },
    hasLastingUids: true,
  }
  try {
    for (const plan of planActions(due, locations, removesViaTrash(pass))) await inFolder(push, plan)
  } catch (error) {
    await whileHeld(pass, (tx) => noteAllRefused(push, tx))
    throw error
  }
  const located = new Set(locations.map(({ emailId }) => emailId))
  // An action whose message is in no folder waits: the message is being filed, or was moved elsewhere and will be
  // found.
  const done = due.filter(
    ({ emailId }) => located.has(emailId) && !push.refused.has(emailId) && !push.unfinished.has(emailId),
  )
  await whileHeld(push.pass, async (tx) => {
    await completeActions(tx, account, done)
    await noteAllRefused(push, tx)
  })
}

async function noteAllRefused({ pass: { context }, account, refused }: Push, tx: Tx): Promise<void> {
  await noteRefused(tx, account, [...refused.values()], context.clock.now(), UNREADABLE_GROWTH)
  if (refused.size > 0) await context.live.publish(tx, account.userId, { topic: 'mailboxes' })
}

/** Carries out one folder's plan. A refusal is recorded with its messages, and the next folder follows. */
async function inFolder(push: Push, plan: FolderPlan): Promise<void> {
  try {
    if (!(await openForWriting(push, plan))) {
      for (const { emailId } of plan.locations) push.unfinished.add(emailId)
      return
    }
    const here = new Set(uidsOf(await stillHere(push, plan, plan.locations)))
    const only = (mails: readonly MailLocation[]) => mails.filter((location) => here.has(location.uid))
    await setFlags(push, only(plan.seen), { add: ['\\Seen'] })
    await setFlags(push, only(plan.unseen), { remove: ['\\Seen'] })
    await setFlags(push, only(plan.flagged), { add: ['\\Flagged'] })
    await setFlags(push, only(plan.unflagged), { remove: ['\\Flagged'] })
    for (const [target, mails] of plan.moves) await move(push, plan, target, only(mails))
    await expunge(push, plan, only(plan.expunge))
  } catch (error) {
    refuse(push, plan.locations, plan.path, error)
  }
}

/** False when UIDVALIDITY has changed: the stored UIDs are no longer valid. */
async function openForWriting(push: Push, { path, uidValidity }: FolderPlan): Promise<boolean> {
  const status = await selectForWriting(push.pass, path)
  push.hasLastingUids = status.hasLastingUids
  return status.uidValidity === uidValidity
}

/**
 * The messages that are still under their UIDs. The others were moved or removed by another program, or by us when a
 * reply was lost. Without UIDVALIDITY a UID may have been given to another message.
 */
async function stillHere(
  push: Push,
  plan: FolderPlan,
  mails: readonly MailLocation[],
): Promise<readonly MailLocation[]> {
  if (mails.length === 0) return mails
  const there = push.hasLastingUids
    ? await push.pass.session.stillThere(uidsOf(mails))
    : await verifiedUids(push.pass, mails)
  const gone = mails.filter(({ uid }) => !there.has(uid))
  if (gone.length > 0) {
    for (const { emailId } of gone) push.unfinished.add(emailId)
    const now = push.pass.context.clock.now()
    await whileHeld(push.pass, (tx) => loseLocations(tx, spaceOf(push, plan), uidsOf(gone), now, true))
  }
  return mails.filter(({ uid }) => there.has(uid))
}

/** Right before messages are moved or removed: without UIDVALIDITY, each removal may give the others new UIDs. */
async function verified(
  push: Push,
  plan: FolderPlan,
  mails: readonly MailLocation[],
): Promise<readonly MailLocation[]> {
  return push.hasLastingUids ? mails : stillHere(push, plan, mails)
}

async function setFlags(
  push: Push,
  mails: readonly MailLocation[],
  change: { add?: string[]; remove?: string[] },
): Promise<void> {
  await inParts(push, mails[0]?.path ?? '', mails, (some) => push.pass.session.setFlags(uidsOf(some), change))
}

/**
 * Moves messages and records their new locations. Where the server does not report the new UIDs, they are found later.
 */
async function move(
  push: Push,
  plan: FolderPlan,
  target: Target,
  mails: readonly MailLocation[],
): Promise<void> {
  if (mails.length === 0) return
  const { session } = push.pass
  const path = await targetPath(push, plan, target)
  if (path === plan.path) return
  const left = session.supports('MOVE') ? mails : await finishCopies(push, plan, path, mails)
  await inParts(push, plan.path, left, async (some) => {
    const batch = await verified(push, plan, some)
    if (batch.length === 0) return
    const relocated = await session.relocate(uidsOf(batch), path)
    if (!relocated.copied) return noteMoved(push, plan, path, batch, relocated)
    await inParts(push, plan.path, batch, async (each) => {
      const part = await verified(push, plan, each)
      if (part.length === 0) return
      await session.expunge(uidsOf(part))
      await noteMoved(push, plan, path, part, relocated)
    })
  })
  // The next batch deletes these permanently, from the trash.
  for (const { emailId } of mails)
    if (push.actions.get(emailId)?.folder === 'deleted') push.unfinished.add(emailId)
}

async function noteMoved(
  push: Push,
  plan: FolderPlan,
  path: string,
  mails: readonly MailLocation[],
  { uidValidity, moved }: Relocated,
): Promise<void> {
  const from = spaceOf(push, plan)
  const arrived = uidValidity === null ? [] : mails.filter(({ uid }) => moved.has(uid))
  const unreported = mails.filter((location) => !arrived.includes(location))
  await whileHeld(push.pass, async (tx) => {
    await dropLocations(tx, from, uidsOf(arrived))
    const locations = arrived.map(({ uid, emailId }) => ({ uid: moved.get(uid) ?? 0, emailId }))
    await insertLocations(tx, { ...from, path, uidValidity: uidValidity ?? '' }, locations)
    await loseLocations(tx, from, uidsOf(unreported), push.pass.context.clock.now(), false)
  })
}

/** Finds or creates the target before the first message is moved there, then selects the source folder again. */
async function targetPath(push: Push, plan: FolderPlan, target: Target): Promise<string> {
  const known = push.targets.get(target)
  if (known !== undefined) return known
  const path = await findTargetFolder(push.pass, target)
  push.targets.set(target, path)
  await openForWriting(push, plan)
  return path
}

/**
 * Without MOVE, a lost connection may have left a message copied but not deleted. On a retry, one that already has its
 * copy is only deleted, so that none is duplicated. Returns the others.
 */
async function finishCopies(
  push: Push,
  plan: FolderPlan,
  path: string,
  mails: readonly MailLocation[],
): Promise<readonly MailLocation[]> {
  const { session } = push.pass
  const copied: { location: MailLocation; uid: number }[] = []
  for (const location of mails) {
    const action = push.actions.get(location.emailId)
    if (action === undefined || action.attempts < 2) continue
    const digest = (await digestsOf(push, plan.path, [location.uid])).get(location.uid)
    const there = await digestsOf(push, path, await session.findByMessageId(path, action.messageId))
    const [uid] = [...there].find(([, other]) => other === digest) ?? []
    if (uid !== undefined) copied.push({ location, uid })
  }
  if (copied.length === 0) {
    await openForWriting(push, plan)
    return mails
  }
  const { uidValidity } = await select(push.pass, path)
  await openForWriting(push, plan)
  const locations = await verified(
    push,
    plan,
    copied.map(({ location }) => location),
  )
  if (locations.length === 0) return mails
  await session.expunge(uidsOf(locations))
  await whileHeld(push.pass, async (tx) => {
    await dropLocations(tx, spaceOf(push, plan), uidsOf(locations))
    const found = copied
      .filter(({ location }) => locations.includes(location))
      .map(({ location, uid }) => ({ uid, emailId: location.emailId }))
    await insertLocations(tx, { ...spaceOf(push, plan), path, uidValidity }, found)
  })
  return mails.filter((location) => !locations.includes(location))
}

/** The digests of messages: another mail may have the same Message-ID. */
async function digestsOf(push: Push, path: string, uids: number[]): Promise<Map<number, string>> {
  const { session } = push.pass
  if (uids.length === 0) return new Map()
  await select(push.pass, path)
  const rows = await Array.fromAsync(session.fetchRaw(uids))
  return new Map(rows.flatMap(({ uid, raw }) => (raw === null ? [] : [[uid, mailDigest(raw)]])))
}

async function expunge(push: Push, plan: FolderPlan, mails: readonly MailLocation[]): Promise<void> {
  await inParts(push, plan.path, mails, async (some) => {
    const batch = await verified(push, plan, some)
    if (batch.length === 0) return
    await push.pass.session.expunge(uidsOf(batch))
    await whileHeld(push.pass, (tx) => dropLocations(tx, spaceOf(push, plan), uidsOf(batch)))
  })
}

/**
 * Runs a command for all messages; if it is refused, for each half, so that one message does not hold up the others.
 */
async function inParts(
  push: Push,
  path: string,
  mails: readonly MailLocation[],
  run: (batch: readonly MailLocation[]) => Promise<void>,
): Promise<void> {
  if (mails.length === 0) return
  try {
    await run(mails)
    push.later.inARow = 0
  } catch (error) {
    push.refusals += 1
    if (mails.length === 1 || push.refusals > REFUSALS_AT_ONCE || !isRefusal(push, error)) {
      refuse(push, mails, path, error)
      return
    }
    const half = mails.length >> 1
    await inParts(push, path, mails.slice(0, half), run)
    await inParts(push, path, mails.slice(half), run)
  }
}

/** Records what the server refused; any other error is thrown on. */
function refuse(push: Push, mails: readonly MailLocation[], path: string, error: unknown): void {
  if (!isOfItem(push.pass, error, push.later)) throw error
  push.pass.context.log.warn({ err: error, path, mails: mails.length }, 'the mail server refused an action')
  for (const { emailId } of mails) {
    const version = push.actions.get(emailId)?.version ?? 0
    const words = error.words || 'The mail server refused.'
    const giveUpAfter = error.kind === 'later' ? GIVE_UP_LATER_AFTER : GIVE_UP_AFTER
    push.refused.set(emailId, { emailId, version, path, words, giveUpAfter })
  }
}

function isRefusal({ pass }: Push, error: unknown): error is ImapFailure {
  return error instanceof ImapFailure && !isLost(pass, error)
}

function spaceOf({ account }: Push, { path, uidValidity }: FolderPlan): UidSpace {
  return { ...account, path, uidValidity }
}

function uidsOf(locations: readonly MailLocation[]): number[] {
  return locations.map(({ uid }) => uid)
}
