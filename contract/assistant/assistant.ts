import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, countUpTo, id, instant, line, requiredLine, requiredText } from '../platform/values.ts'

export const CHAT_TITLE_MAX = 120
/** Characters of a question, and of an answer. */
export const QUESTION_MAX = 4000
export const ANSWER_MAX = 20_000
/** Sessions of one user, and messages of one session; the oldest messages stay, and a new session is asked for. */
export const CHAT_SESSIONS_MAX = 500
export const CHAT_MESSAGES_MAX = 1000
/** Places that the facts of one answer may come from, and proposals of one answer. */
export const SOURCES_MAX = 40
export const PROPOSALS_MAX = 5
/** A proposal can be approved for this long. */
export const PROPOSAL_HOURS = 24

/** What a fact comes from. The text names it as `[n]`; `path` is its page in Howl. */
export const chatSource = z.object({
  n: z.number(),
  kind: z.enum(['contact', 'email', 'meeting', 'task', 'invoice', 'page']),
  /** Null for a page. */
  id: z.nullable(z.number()),
  label: z.string(),
  path: z.string(),
})
export type ChatSource = z.infer<typeof chatSource>

export const PROPOSAL_STATUSES = ['pending', 'approved', 'declined', 'replaced', 'expired'] as const

/** One line of a proposal, as a person reads it. */
export const proposalLine = z.object({ label: z.string(), text: z.string() })

/** Something that Wolfy would do. Nothing happens before it is approved. */
export const proposal = z.object({
  id,
  /** Null once the session is deleted. */
  session_id: z.nullable(z.number()),
  /** Its name in the registry of tools: `send_email`, `schedule_meeting` … */
  tool: z.string(),
  /** "Send an email to Ann Lee". */
  summary: z.string(),
  /** Exactly what is done, for programs. */
  content: z.record(z.string(), z.unknown()),
  /** The same for people: every field, in order. Made from `content`. */
  lines: z.array(proposalLine),
  /** What `edit` may change, with the values now. */
  editable: z.record(z.string(), z.unknown()),
  /** Binds content, user and session. Approving names it, so that nothing else is approved than what was shown. */
  hash: z.string(),
  status: z.enum(PROPOSAL_STATUSES),
  created_at: instant,
  expires_at: instant,
  decided_at: z.nullable(instant),
  /** What an approved one has made. `failed`: it could not be done after all; `label` says why, and `path` leads on. */
  result: z.nullable(z.object({ label: z.string(), path: z.string(), failed: z.optional(z.boolean()) })),
})
export type Proposal = z.infer<typeof proposal>

/** `writing`: more is coming · `stopped`: by the user · `failed`: the answer broke off; what was written stays. */
export const MESSAGE_STATUSES = ['done', 'writing', 'stopped', 'failed'] as const

export const chatMessage = z.object({
  id,
  role: z.enum(['user', 'assistant']),
  /** Of an answer: text with `[n]` for its sources; markdown without HTML, pictures and links. */
  content: z.string(),
  /** What the rules took a question for (`waiting`, `schedule_meeting` …); `model` where a language model answered. */
  intent: z.nullable(z.string()),
  status: z.enum(MESSAGE_STATUSES),
  message_metadata: z.object({
    /** Who answered; null for a question. */
    by: z.nullable(z.enum(['rules', 'model'])),
    model: z.nullable(z.string()),
    sources: z.array(chatSource),
    proposal_ids: z.array(z.number()),
    /** Questions that may come next. */
    suggestions: z.array(z.string()),
  }),
  created_at: instant,
})
export type ChatMessage = z.infer<typeof chatMessage>

const sessionRow = {
  id,
  title: z.string(),
  contact_name: z.string(),
  contact_email: z.string(),
  is_active: z.boolean(),
  created_at: instant,
  /** When something was last said in it. */
  updated_at: instant,
}
export const chatSession = z.object(sessionRow)
export type ChatSession = z.infer<typeof chatSession>
export const chatSessionDetail = z.object({
  ...sessionRow,
  /** The contact that has this address now. */
  contact_id: z.nullable(z.number()),
  /** Oldest first. */
  messages: z.array(chatMessage),
  proposals: z.array(proposal),
})
export type ChatSessionDetail = z.infer<typeof chatSessionDetail>

export const chatReply = z.object({
  /** The answer. */
  message: chatMessage,
  /** The stored question. */
  question: chatMessage,
  session_id: z.number(),
  session_title: z.string(),
  is_new_session: z.boolean(),
  text: z.string(),
  intent: z.nullable(z.string()),
  status: z.enum(MESSAGE_STATUSES),
  result: z.object({
    by: z.enum(['rules', 'model']),
    sources: z.array(chatSource),
    proposals: z.array(proposal),
    suggestions: z.array(z.string()),
  }),
})
export type ChatReply = z.infer<typeof chatReply>

/**
 * What `POST /wolfy/chat` streams with `Accept: text/event-stream`, one JSON object per `data:` line. `begun` comes first;
 * `text` appends; `reading` says what is looked up; `done` or `failed` comes last. The answer is written down as it comes:
 * after a lost connection `GET /chat/sessions/{id}` has it, and the live event `assistant` tells of more.
 */
export const chatEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('begun'),
    session_id: z.number(),
    session_title: z.string(),
    is_new_session: z.boolean(),
    question: chatMessage,
    message_id: z.number(),
  }),
  z.object({ event: z.literal('text'), text: z.string() }),
  z.object({ event: z.literal('reading'), tool: z.string(), summary: z.string() }),
  z.object({ event: z.literal('done'), reply: chatReply }),
  /** `reply` as far as it was written; `detail` is the sentence to show. */
  z.object({ event: z.literal('failed'), detail: z.string(), reply: chatReply }),
])
export type ChatEvent = z.infer<typeof chatEvent>

const byId = z.object({ id })
const contactName = line(200)
const contactEmail = line(254)
const title = requiredLine(CHAT_TITLE_MAX, 'Please enter a name')
const NO_HASH = 'This is no hash of a proposal'
const hash = z.string().check(atMost(64, NO_HASH), z.regex(/^[\da-f]{64}$/, NO_HASH))

export const assistant = {
  sessions: endpoint({
    method: 'GET',
    path: '/chat/sessions',
    summary: 'Conversations with Wolfy, the last used first',
    query: z.object({
      limit: countUpTo(200, 50),
      page: countUpTo(10_000, 1),
      include_inactive: z._default(z.enum(['true', 'false']), 'true'),
      /** Part of the title, or of what was said. */
      search: z.optional(line(100)),
    }),
    reply: z.array(chatSession),
  }),
  addSession: endpoint({
    method: 'POST',
    path: '/chat/sessions',
    summary: 'A new conversation, which becomes the active one',
    body: z.object({
      title: z.optional(z.nullable(title)),
      contact_name: z.optional(z.nullable(contactName)),
      contact_email: z.optional(z.nullable(contactEmail)),
    }),
    reply: chatSessionDetail,
  }),
  getSession: endpoint({
    method: 'GET',
    path: '/chat/sessions/:id',
    summary: 'A conversation with its messages and proposals',
    params: byId,
    reply: chatSessionDetail,
  }),
  renameSession: endpoint({
    method: 'PATCH',
    path: '/chat/sessions/:id',
    summary: 'Give a conversation another title',
    params: byId,
    body: z.object({ title }),
    reply: chatSession,
  }),
  removeSession: endpoint({
    method: 'DELETE',
    path: '/chat/sessions/:id',
    summary: 'Delete a conversation; what was approved in it stays done',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
  activateSession: endpoint({
    method: 'POST',
    path: '/chat/sessions/:id/activate',
    summary: 'Make a conversation the only active one',
    params: byId,
    reply: chatSession,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/chat/sessions/:id/stop',
    summary: 'Stop the answer that is being written; what is there stays',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
  chat: endpoint({
    method: 'POST',
    path: '/wolfy/chat',
    summary:
      'Ask Wolfy. Without session_id a conversation begins. With Accept: text/event-stream the answer is streamed. Calls with the same Idempotency-Key ask once',
    body: z.object({
      message: requiredText(QUESTION_MAX, 'Please write a message'),
      session_id: z.optional(z.nullable(id)),
      /** Whom a new conversation is about. */
      contact_name: z.optional(z.nullable(contactName)),
      contact_email: z.optional(z.nullable(contactEmail)),
      /** The last question of the session, which this one takes the place of: retry, or edit the last question. */
      replaced_id: z.optional(z.nullable(id)),
      /** `rules`: no language model is asked, and it costs nothing. */
      by: z.optional(z.enum(['rules'])),
    }),
    reply: chatReply,
  }),
  proposals: endpoint({
    method: 'GET',
    path: '/wolfy/proposals',
    summary: 'Proposals, newest first',
    query: z.object({
      status: z._default(z.enum(['all', ...PROPOSAL_STATUSES]), 'all'),
      limit: countUpTo(200, 50),
      page: countUpTo(10_000, 1),
    }),
    reply: z.array(proposal),
  }),
  approve: endpoint({
    method: 'POST',
    path: '/wolfy/proposals/:id/approve',
    summary: 'Do what a proposal says, once; `hash` is that of the proposal as it was shown',
    params: byId,
    body: z.object({ hash }),
    reply: proposal,
  }),
  decline: endpoint({
    method: 'POST',
    path: '/wolfy/proposals/:id/decline',
    summary: 'Turn a proposal down',
    params: byId,
    reply: proposal,
  }),
  edit: endpoint({
    method: 'POST',
    path: '/wolfy/proposals/:id/edit',
    summary: 'A new proposal with these fields changed (those in `editable`), in place of the old one',
    params: byId,
    body: z.object({ changes: z.record(line(60), z.unknown()) }),
    reply: proposal,
  }),
}
