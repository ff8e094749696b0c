import type { Proposal } from '#contract/assistant/assistant.ts'
import type { Context } from '../platform/context.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { conflict, invalidInput, notFound, Refusal } from '../platform/errors.ts'
import { presentProposal } from './present.ts'
import { prepareProposal, proposalHash, storeProposal } from './propose.ts'
import { decideProposal, findProposal, lockProposal, type ProposalRow } from './proposals-store.ts'
import { placeProposal } from './sessions-store.ts'
import { toolNamed } from './tools/registry.ts'
import type { Asking, Settlement } from './tools/tool.ts'
import { changing } from '../platform/changing.ts'

type Caller = Asking['user']

const noProposal = () => notFound('This proposal does not exist.')
const CHANGED = 'This is not the proposal as it was shown. Please look at it again.'

/** Another call has approved it meanwhile: nothing more is to be done. */
class ApprovedAlready extends Error {}

/**
 * Does what a proposal says, once, and writes it down in the same transaction. Approving it again does nothing more.
 *
 * @throws Refusal 404; 409 when it was declined, replaced or has expired, when `hash` is another one, and when it can no
 *   longer be done as it was shown; what the effect itself refuses
 */
export async function approveProposal(
  context: Context,
  user: Caller,
  id: number,
  hash: string,
): Promise<Proposal> {
  const row = await findProposal(context.db, user.id, id)
  if (row === undefined) throw noProposal()
  const tool = toolNamed(row.tool)
  if (tool?.kind !== 'proposes') throw noProposal()
  let isSettled = false
  const settlement: Settlement = {
    claim: async (tx) => {
      const locked = await lockProposal(tx, user.id, id)
      if (locked === undefined) throw noProposal()
      if (checkApproval(context, locked, hash) === 'approved') throw new ApprovedAlready()
    },
    done: async (tx, result) => {
      await decideProposal(tx, user.id, id, {
        status: 'approved',
        decided_at: context.clock.now(),
        result,
      })
      await context.live.publish(tx, user.id, { topic: 'assistant' })
      isSettled = true
    },
  }
  if (checkApproval(context, row, hash) === 'pending') {
    try {
      await tool.perform({ context, user }, row.content, settlement)
    } catch (error) {
      if (!(error instanceof ApprovedAlready)) {
        // A mail is stored before its server is asked.
        if (isSettled && error instanceof Refusal) await noteFailure(context, user.id, id, error.message)
        throw error
      }
    }
  }
  return presentProposal((await findProposal(context.db, user.id, id)) ?? row, context.clock.now())
}

/** Whether it may be approved, or has been. @throws Refusal 409 */
function checkApproval(context: Context, row: ProposalRow, hash: string): 'pending' | 'approved' {
  const { user_id: userId, session_id: sessionId, tool, content } = row
  if (row.hash !== hash) throw conflict(CHANGED)
  if (row.status === 'approved') return 'approved'
  if (row.status === 'declined') throw conflict('This proposal was declined.')
  if (row.status === 'replaced') throw conflict('This proposal was edited. Please approve the new one.')
  if (row.expires_at <= context.clock.now()) throw conflict('This proposal has expired. Please ask again.')
  // Nobody changes a stored proposal; if somebody did, it is not what was shown.
  if (proposalHash({ userId, sessionId, tool, content }) !== row.hash) throw conflict(CHANGED)
  return 'pending'
}

/** What was approved was refused afterwards: by now the mail is a draft again. */
async function noteFailure(context: Context, userId: number, id: number, why: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await lockProposal(tx, userId, id)
    if (row?.result == null) return
    const { status, decided_at } = row
    const path = row.result.path.replace('folder=sent', 'folder=drafts')
    await decideProposal(tx, userId, id, { status, decided_at, result: { label: why, path, failed: true } })
    await context.live.publish(tx, userId, { topic: 'assistant' })
  })
}

/** Turns a proposal down; doing it again changes nothing. @throws Refusal 404; 409 when it has been approved or replaced */
export async function declineProposal(context: Context, user: Caller, id: number): Promise<Proposal> {
  return inTransaction(context.db, async (tx) => {
    const row = await lockProposal(tx, user.id, id)
    if (row === undefined) throw noProposal()
    const now = context.clock.now()
    if (row.status === 'declined') return presentProposal(row, now)
    if (row.status === 'approved') throw conflict('This proposal has been approved already.')
    if (row.status === 'replaced') throw conflict('This proposal was edited. Please decline the new one.')
    const declined = await decideProposal(tx, user.id, id, {
      status: 'declined',
      decided_at: now,
      result: null,
    })
    await context.live.publish(tx, user.id, { topic: 'assistant' })
    return presentProposal(declined, now)
  })
}

/**
 * Makes a new proposal with some fields changed. Only the tool's editable fields can be: never the recipient.
 *
 * @throws Refusal 404; 400 for other fields or what the tool does not take; 409 when it is decided or has expired
 */
export async function editProposal(
  context: Context,
  user: Caller,
  id: number,
  changes: Record<string, unknown>,
): Promise<Proposal> {
  const asking = { context, user }
  const row = await findProposal(context.db, user.id, id)
  const tool = row && toolNamed(row.tool)
  if (row === undefined || tool?.kind !== 'proposes') throw noProposal()
  const strange = Object.keys(changes).find((field) => !tool.editable.includes(field))
  if (strange !== undefined)
    throw invalidInput('This cannot be changed here.', { [strange]: 'This cannot be changed here.' })
  checkApproval(context, row, row.hash)
  const prepared = await prepareProposal(asking, tool.name, { ...row.input, ...changes })
  return changing(context, user.id, 'assistant', async (tx) => {
    const locked = await lockProposal(tx, user.id, id)
    if (locked === undefined || locked.session_id === null) throw noProposal()
    if (checkApproval(context, locked, locked.hash) === 'approved')
      throw conflict('This proposal has been approved already.')
    const now = context.clock.now()
    await decideProposal(tx, user.id, id, { status: 'replaced', decided_at: now, result: null })
    const place = { sessionId: locked.session_id, messageId: locked.message_id }
    const made = await storeProposal(tx, asking, place, prepared)
    await placeProposal(tx, user.id, locked.message_id, { after: id, proposalId: made.id })
    return presentProposal(made, now)
  })
}
