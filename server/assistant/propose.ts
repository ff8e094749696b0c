import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { PROPOSAL_HOURS } from '#contract/assistant/assistant.ts'
import type { Queryable } from '../platform/database/handles.ts'
import { invalidInput } from '../platform/errors.ts'
import { insertProposal, type ProposalRow } from './proposals-store.ts'
import { seenText } from '../formats/mail-text/seen-text.ts'
import { toolNamed } from './tools/registry.ts'
import type { Asking, ProposingTool } from './tools/tool.ts'

const NOT_UNDERSTOOD = 'This proposal cannot be understood.'

/** What a proposal would do, settled and ready to be stored. */
export type Prepared = {
  tool: ProposingTool
  input: Record<string, unknown>
  content: Record<string, unknown>
}

/**
 * Settles what a proposal would do: the recipient from stored rows, times as instants. Nothing is stored.
 *
 * @throws Refusal 400 for an input that the tool does not take, or with the tool's own sentence
 */
export async function prepareProposal(asking: Asking, name: string, given: unknown): Promise<Prepared> {
  const tool = toolNamed(name)
  if (tool?.kind !== 'proposes') throw invalidInput(NOT_UNDERSTOOD)
  const parsed = z.safeParse(tool.input, seen(given))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = issue?.path.join('.') ?? ''
    throw invalidInput(
      issue?.message ?? NOT_UNDERSTOOD,
      field === '' ? undefined : { [field]: issue?.message ?? '' },
    )
  }
  const content = asJson(await tool.prepare(asking, parsed.data))
  return { tool, input: asJson(parsed.data), content }
}

/** Objects in lists in an object: no tool takes more. */
const DEPTH_MAX = 4

/** What nobody sees on a card is not in what is done. */
function seen(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return seenText(value)
  if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX) return value
  if (Array.isArray(value)) return value.map((each) => seen(each, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, seen(each, depth + 1)]))
}

/** Stores a proposal in the answer that it stands in. */
export async function storeProposal(
  db: Queryable,
  asking: Asking,
  place: { sessionId: number; messageId: number },
  { tool, input, content }: Prepared,
): Promise<ProposalRow> {
  const now = asking.context.clock.now()
  return insertProposal(db, {
    user_id: asking.user.id,
    session_id: place.sessionId,
    message_id: place.messageId,
    tool: tool.name,
    input,
    content,
    hash: proposalHash({ userId: asking.user.id, sessionId: place.sessionId, tool: tool.name, content }),
    status: 'pending',
    result: null,
    created_at: now,
    expires_at: new Date(now.getTime() + PROPOSAL_HOURS * 3_600_000),
    decided_at: null,
  })
}

/** SHA-256 of what a proposal says, whose it is and where it was made, in a form that is always the same. */
export function proposalHash(of: {
  userId: number
  sessionId: number | null
  tool: string
  content: Record<string, unknown>
}): string {
  return hash('sha256', canonical(of), 'hex')
}

/** JSON with the keys in order (RFC 8785, without its rules for numbers: ours are whole or text). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
}

/** As the database gives it back: without what JSON does not know. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>
