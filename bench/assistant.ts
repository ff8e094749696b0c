import { assistant, type ChatEvent } from '#contract/assistant/assistant.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { call } from '../tests/support/client.ts'
import { signUp, type TestUser } from '../tests/support/factories.ts'
import { writeWords } from './contacts-list.ts'
import { fillDays } from './dashboard.ts'
import { limited } from './lists.ts'
import { type Benchmark, type Figure, quantile } from './parts/figure.ts'
import { fillInbox } from './parts/fill-inbox.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import { fillContacts, fillCorrespondents, settleTables } from './parts/lists.ts'

const MAILS = 1_000_000
const TIMES = 20
const CHATS_AT_ONCE = 100
/** A person waits no longer for a rule. */
const ANSWERED_MS = 300
const TABLES = [
  'emails',
  'email_search',
  'contacts',
  'contact_statuses',
  'contact_search',
  'correspondents',
  'meetings',
  'todos',
  'mail_activity',
]

/** One of each kind that the rules understand. */
const QUESTIONS = [
  'What are my numbers?',
  'How many emails did I send this week?',
  'How many contacts are interested?',
  'Who has not replied?',
  'Who is interested?',
  'What is due today?',
  'What meetings do I have tomorrow?',
  'When am I free on Friday?',
  'Find Person 4711',
  'Emails from person7@many.example',
  'Find emails about zeppelin',
  'What did Person 4711 say?',
  'Remind me to call Person 4711 on Friday',
  'Schedule a call with Person 4711 tomorrow at 3',
  'Write a follow-up to Person 4711',
  'Where is the harbour lights thing',
]

/** Questions by rules to a user with a million mails and contacts, and many who ask at once. */
export const assistantBench: Benchmark = {
  name: 'assistant',
  measure: async () => {
    const howl = await startHowl()
    try {
      const user = await signUp(howl.url)
      await fillInbox(howl, user, MAILS)
      await fillCorrespondents(howl, user, MAILS)
      await fillContacts(howl, user, MAILS)
      await writeWords(howl, user)
      await fillDays(howl, user, MAILS)
      await settleTables(howl, TABLES)
      const figures: Figure[] = []
      for (const question of QUESTIONS) {
        const took = await timesOf(howl, user, question)
        const p95 = quantile(took, 0.95)
        console.log(`  ${question} ${Math.round(p95)} ms`)
        figures.push(limited(`by rules over 1M mails, p95: ${question}`, p95, ANSWERED_MS))
      }
      figures.push(
        limited(`${CHATS_AT_ONCE} chats at once, until the last is answered`, await atOnce(howl, user), 5000),
      )
      return figures
    } finally {
      await howl.end()
    }
  },
}

async function timesOf(howl: BenchHowl, { token }: TestUser, message: string): Promise<number[]> {
  const opened = await call(howl.url, assistant.addSession, { token, body: { title: message.slice(0, 100) } })
  const took: number[] = []
  for (let turn = -3; turn < TIMES; turn += 1) {
    const begun = performance.now()
    const { status, error } = await call(howl.url, assistant.chat, {
      token,
      body: { message, session_id: opened.body.id },
    })
    if (status !== 200) throw new Error(`${message}: ${error.detail}`)
    if (turn >= 0) took.push(performance.now() - begun)
  }
  return took
}

/** Milliseconds until so many streams have their answers. */
async function atOnce(howl: BenchHowl, { token }: TestUser): Promise<number> {
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: CHATS_AT_ONCE }, async () => {
      const response = await fetch(howl.url + pathOf(assistant.chat), {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'text/event-stream',
        },
        body: JSON.stringify({ message: 'Who has not replied?' }),
      })
      const last = (await response.text()).trim().split('\n').at(-1) ?? ''
      const { event } = JSON.parse(last.slice('data: '.length)) as ChatEvent
      if (event !== 'done') throw new Error(`A chat ended with ${event}`)
    }),
  )
  return performance.now() - begun
}
