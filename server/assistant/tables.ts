import type { Generated } from 'kysely'
import type { ChatMessage, Proposal } from '#contract/assistant/assistant.ts'

export type ChatSessionsTable = {
  user_id: number
  id: Generated<number>
  title: string
  contact_name: string
  contact_email: string
  is_active: boolean
  created_at: Date
  /** When something was last said. */
  used_at: Date
}

export type ChatMessagesTable = {
  user_id: number
  id: Generated<number>
  session_id: number
  role: 'user' | 'assistant'
  content: string
  intent: string | null
  status: 'done' | 'writing' | 'stopped' | 'failed'
  metadata: ChatMessage['message_metadata']
  created_at: Date
  written_at: Date
}

/** What an approved proposal has made. */
type ProposalResult = NonNullable<Proposal['result']>

export type ChatProposalsTable = {
  user_id: number
  id: Generated<number>
  session_id: number | null
  message_id: number
  tool: string
  input: Record<string, unknown>
  content: Record<string, unknown>
  hash: string
  status: 'pending' | 'approved' | 'declined' | 'replaced'
  result: ProposalResult | null
  created_at: Date
  expires_at: Date
  decided_at: Date | null
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    chat_sessions: ChatSessionsTable
    chat_messages: ChatMessagesTable
    chat_proposals: ChatProposalsTable
  }
}
