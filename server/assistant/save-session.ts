import {
  CHAT_MESSAGES_MAX,
  CHAT_SESSIONS_MAX,
  type ChatSession,
  type ChatSessionDetail,
} from '#contract/assistant/assistant.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import { contactByAddress } from '../crm/contacts/contacts.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/handles.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { presentMessage, presentProposal, presentSession } from './present.ts'
import { proposalsOf } from './proposals-store.ts'
import {
  changeSession,
  countSessions,
  deactivateSessions,
  deleteSession,
  findSession,
  insertSession,
  lockSessions,
  messagesOf,
  type SessionRow,
} from './sessions-store.ts'
import { changing } from '../platform/changing.ts'

/** Proposals of a session that are shown. */
const PROPOSALS_SHOWN = 200
const NEW_CHAT = 'New chat'

/** The sentence for a missing session. */
export const noSession = () => notFound('This conversation does not exist.')

/**
 * A new session, which becomes the active one. Without a title it is named after the contact.
 *
 * @throws Refusal 409 when the user has as many as there may be
 */
export async function openSession(
  context: Context,
  tx: Tx,
  userId: number,
  given: { title?: string | null; contactName?: string | null; contactEmail?: string | null },
): Promise<SessionRow> {
  await lockSessions(tx, userId)
  if ((await countSessions(tx, userId)) >= CHAT_SESSIONS_MAX)
    throw conflict(`You have ${CHAT_SESSIONS_MAX} conversations. Please delete one before you begin another.`)
  await deactivateSessions(tx, userId)
  const now = context.clock.now()
  return insertSession(tx, {
    user_id: userId,
    title: given.title || given.contactName || NEW_CHAT,
    contact_name: given.contactName ?? '',
    contact_email: given.contactEmail ?? '',
    is_active: true,
    created_at: now,
    used_at: now,
  })
}

/** True while a session has no name of its own: its first message names it. */
export const isUnnamed = ({ title }: Pick<SessionRow, 'title'>) => title === NEW_CHAT

/** {@link openSession} as a call of its own. @throws Refusal 409 */
export async function addSession(
  context: Context,
  userId: number,
  given: Parameters<typeof openSession>[3],
): Promise<Given<ChatSessionDetail>> {
  const row = await changing(context, userId, 'assistant', async (tx) => {
    return openSession(context, tx, userId, given)
  })
  return {
    ...presentSession(row),
    contact_id: await contactOf(context, userId, row),
    messages: [],
    proposals: [],
  }
}

/** A session with what was said and proposed in it. @throws Refusal 404 */
export async function getSession(
  context: Context,
  userId: number,
  id: number,
): Promise<Given<ChatSessionDetail>> {
  const { db, clock } = context
  const row = await findSession(db, userId, id)
  if (row === undefined) throw noSession()
  const [contactId, messages, proposals] = await Promise.all([
    contactOf(context, userId, row),
    messagesOf(db, userId, id, CHAT_MESSAGES_MAX),
    proposalsOf(db, userId, id, PROPOSALS_SHOWN),
  ])
  const now = clock.now()
  return {
    ...presentSession(row),
    contact_id: contactId,
    messages: messages.map((message) => presentMessage(message, now)),
    proposals: proposals.map((proposal) => presentProposal(proposal, now)),
  }
}

/** The contact that a session is about, if there is one with its address. */
async function contactOf({ db }: Context, userId: number, session: SessionRow): Promise<number | null> {
  const key = session.contact_email.toLowerCase()
  return key === '' ? null : ((await contactByAddress(db, userId, key))?.id ?? null)
}

/** @throws Refusal 404 */
export async function renameSession(
  context: Context,
  userId: number,
  id: number,
  title: string,
): Promise<Given<ChatSession>> {
  return changing(context, userId, 'assistant', async (tx) => {
    const row = await changeSession(tx, userId, id, { title })
    if (row === undefined) throw noSession()
    return presentSession(row)
  })
}

/** Makes a session the only active one. @throws Refusal 404 */
export async function activateSession(
  context: Context,
  userId: number,
  id: number,
): Promise<Given<ChatSession>> {
  return changing(context, userId, 'assistant', async (tx) => {
    await lockSessions(tx, userId)
    await deactivateSessions(tx, userId)
    const row = await changeSession(tx, userId, id, { is_active: true })
    if (row === undefined) throw noSession()
    return presentSession(row)
  })
}

/** Deletes a session with its messages and undecided proposals. @throws Refusal 404 */
export async function removeSession(context: Context, userId: number, id: number): Promise<void> {
  await changing(context, userId, 'assistant', async (tx) => {
    if (!(await deleteSession(tx, userId, id))) throw noSession()
  })
}
