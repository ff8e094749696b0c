import type { ChatMessage, ChatSession, Proposal } from '#contract/assistant/assistant.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import type { ProposalRow } from './proposals-store.ts'
import type { MessageRow, SessionRow } from './sessions-store.ts'
import { seenText } from '../formats/mail-text/seen-text.ts'
import { toolNamed } from './tools/registry.ts'
import { DEADLINE_MS } from './deadline.ts'

export const presentSession = (row: SessionRow): Given<ChatSession> => ({ ...row, updated_at: row.used_at })

/** True for an answer that a process is still writing; one that fell silent has died with its process. */
export function isBeingWritten(row: MessageRow, now: Date): boolean {
  return row.status === 'writing' && now.getTime() - row.written_at.getTime() < DEADLINE_MS * 1.5
}

export function presentMessage(row: MessageRow, now: Date): ChatMessage {
  const { id, role, content, intent, metadata } = row
  const isDead = row.status === 'writing' && !isBeingWritten(row, now)
  return {
    id,
    role,
    content,
    intent,
    status: isDead ? 'failed' : row.status,
    message_metadata: metadata,
    created_at: row.created_at.toISOString(),
  }
}

export function presentProposal(row: ProposalRow, now: Date): Proposal {
  const { id, session_id, hash, content } = row
  const tool = toolNamed(row.tool)
  const isProposing = tool?.kind === 'proposes'
  return {
    id,
    session_id,
    tool: row.tool,
    summary: isProposing ? tool.summarise(content) : row.tool,
    content,
    lines: isProposing ? tool.lines(content).map(({ label, text }) => ({ label, text: seenText(text) })) : [],
    editable: isProposing
      ? Object.fromEntries(tool.editable.map((field) => [field, row.input[field] ?? null]))
      : {},
    hash,
    status: row.status === 'pending' && row.expires_at <= now ? 'expired' : row.status,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    result: row.result,
  }
}
