import { onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import {
  assistant,
  chatMessage,
  type ChatMessage,
  type ChatReply,
  type ChatSessionDetail,
  chatSessionDetail,
  proposal,
  type Proposal,
} from '#contract/assistant/assistant.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { clearToken } from '#web/platform/api/token.ts'
import { blank } from './blank-reply.ts'
import type { FakeApi } from './fake-api.ts'

type Question = BodyInput<typeof assistant.chat>

/** Wolfy on a fake server: it stores questions and answers each by rules. */
export type FakeChat = {
  sessions: ChatSessionDetail[]
  /** Stores a question with its answer, as the server does whether or not anybody hears it. */
  store: (question: Question) => ChatReply
}

/** Lets Wolfy answer on a fake server, which has these conversations, the last one being the active one. */
export function fakeChat(api: FakeApi, ...titles: string[]): FakeChat {
  const sessions: ChatSessionDetail[] = []
  let nextId = 1
  const begin = (title: string, about: Partial<ChatSessionDetail> = {}) => {
    for (const each of sessions) each.is_active = false
    const made = blank(chatSessionDetail, { ...about, id: nextId++, title, is_active: true })
    sessions.unshift(made)
    return made
  }
  for (const title of titles) begin(title)
  const of = (id: unknown) => sessions.find((each) => each.id === Number(id))
  const missing = () => Response.json({ detail: 'This conversation does not exist.' }, { status: 404 })
  const say = (role: ChatMessage['role'], content: string) =>
    blank(chatMessage, {
      id: nextId++,
      role,
      content,
      status: 'done',
      created_at: new Date().toISOString(),
      message_metadata: {
        by: role === 'assistant' ? 'rules' : null,
        model: null,
        sources: [],
        proposal_ids: [],
        suggestions: [],
      },
    })
  const store = ({ message, session_id, contact_name, contact_email, replaced_id }: Question): ChatReply => {
    const about = { contact_name: contact_name ?? '', contact_email: contact_email ?? '' }
    const known = session_id == null ? undefined : of(session_id)
    const session = known ?? begin(message.slice(0, 120), about)
    const question = say('user', message)
    const answer = say('assistant', `Answer to “${message}”`)
    const before = session.messages.filter(({ id }) => replaced_id == null || id < Number(replaced_id))
    session.messages = [...before, question, answer]
    return {
      message: answer,
      question,
      session_id: session.id,
      session_title: session.title,
      is_new_session: known === undefined,
      text: answer.content,
      intent: null,
      status: 'done',
      result: { by: 'rules', sources: [], proposals: [], suggestions: [] },
    }
  }
  const add = (title: string | null | undefined, about: Partial<ChatSessionDetail>) =>
    begin(title ?? 'New chat', about)

  api
    .answers(assistant.sessions, ({ query }) =>
      sessions.filter(({ title }) => title.toLowerCase().includes((query.search ?? '').toLowerCase())),
    )
    .responds(assistant.getSession, ({ params }) => {
      const found = of(params['id'])
      return found === undefined ? missing() : Response.json(found)
    })
    .answers(assistant.addSession, ({ body }) =>
      add(body?.title, { contact_name: body?.contact_name ?? '', contact_email: body?.contact_email ?? '' }),
    )
    .responds(assistant.activateSession, ({ params }) => {
      for (const each of sessions) each.is_active = each.id === Number(params['id'])
      const found = of(params['id'])
      return found === undefined ? missing() : Response.json(found)
    })
    .answers(assistant.stop, { ok: true })
    .answers(assistant.chat, ({ body }) => store(body))
  // The page keeps the conversation until somebody logs out, and the widget until it is closed.
  onTestFinished(() => {
    localStorage.setItem('token', 'a.b.c')
    clearToken()
  })
  return { sessions, store }
}

/** Puts a proposal under the last answer of a conversation. */
export function propose(session: ChatSessionDetail, fields: Partial<Proposal> = {}): Proposal {
  const made = blank(proposal, {
    id: 900,
    session_id: session.id,
    tool: 'add_task',
    summary: 'Add the task',
    lines: [{ label: 'Title', text: 'Call Ann Lee' }],
    editable: { title: 'Call Ann Lee', due_date: null, priority: 'medium' },
    hash: 'a'.repeat(64),
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    ...fields,
  })
  session.proposals = [made]
  session.messages.at(-1)?.message_metadata.proposal_ids.push(made.id)
  return made
}

export const log = page.getByRole('log', { name: 'Conversation' })
export const box = page.getByRole('textbox', { name: 'Message' })
export const button = (name: string) => page.getByRole('button', { name, exact: true })
export const chats = page.getByRole('list', { name: 'Chats' })
export const said = (text: string | RegExp) => log.getByRole('listitem').filter({ hasText: text })
export const widget = page.getByRole('dialog', { name: 'Wolfy' })

/** Opens the widget on the page that is open; it is closed at the end of the test. */
export async function openWidget(): Promise<void> {
  onTestFinished(() => document.querySelector<HTMLElement>('[aria-label=Wolfy] [aria-label=Close]')?.click())
  await button('Ask Wolfy').click()
}
