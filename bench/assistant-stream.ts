import os from 'node:os'
import { type Browser, chromium, type Page } from '@playwright/test'
import { assistant, type ChatEvent, type ChatReply } from '#contract/assistant/assistant.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { signUp, type TestUser } from '../tests/support/factories.ts'
import { findBrowser } from '../tests/support/find-browser.mjs'
import { clockSkew } from './parts/clock.ts'
import { type Benchmark, duration, type Figure, inTurns, quantile, whole } from './parts/figure.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import type { ModelOrder, Written } from './parts/model-process.ts'
import { type Part, startPart } from './parts/process.ts'

/** As fast as a small model at home: some thirty words a second. */
const MODEL: ModelOrder = { thinksMs: 100, gapMs: 30, words: 8 }
const MODEL_NAME = 'counting'
const ROUNDS = 8
/** Answers that are read in a round, and on the bare page. */
const ANSWERS = 25
const ANSWERS_BARE = 10
const SHOWN_MS = 50

const CHATS_AT_ONCE = 100
const USERS = 10
/** So many conversations Howl has with one model at the same time; the others wait for their turn. */
const ASKED_AT_ONCE = 8
const ROUNDS_AT_ONCE = 3

type Model = { part: Part; url: string }
/** Milliseconds from writing a word to its standing in the page: of first words, and of later ones. */
type Shown = { first: number[]; later: number[] }

/** How soon the words of a model stand in the page, and many conversations at once, beside a page and a server without Howl. */
export const assistantStream: Benchmark = {
  name: 'assistant-stream',
  measure: async () => {
    const part = startPart('parts/model-process.ts', MODEL)
    const { url } = await part.next<{ url: string }>()
    const howl = await startHowl({ AI_BASE_URL: `${url}/v1`, AI_MODEL: MODEL_NAME, PLAN_LIMITS: 'off' })
    try {
      const model = { part, url }
      return [...(await inPage(howl, model)), ...(await manyAtOnce(howl, model))]
    } finally {
      await howl.end()
      await part.end()
    }
  },
}

let questions = 0
const nextKey = () => `k${(questions += 1)}`
const wordsOf = (key: string) => Array.from({ length: MODEL.words }, (_, word) => `${key}x${word}`)

/** What the model has written since it was asked last. */
async function writtenBy({ part }: Model): Promise<Written> {
  const told = part.next<Written>()
  part.send({})
  return told
}

async function inPage(howl: BenchHowl, model: Model): Promise<Figure[]> {
  const { executablePath, args } = await findBrowser()
  const browser = await chromium.launch({
    executablePath,
    args: [...args, '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  })
  try {
    const rounds = await inTurns(
      ROUNDS,
      () => readIn(browser, model, ANSWERS_BARE, (page) => page.goto(model.url)),
      async () => {
        const user = await signUp(howl.url)
        return readIn(browser, model, ANSWERS, async (page) => {
          await page.goto(`${howl.url}/health`)
          await page.evaluate((token) => localStorage.setItem('token', token), user.token)
          await page.goto(`${howl.url}/simon`)
        })
      },
    )
    return (['first', 'later'] as const).map((which) => {
      const [bare, own] = [rounds.bare, rounds.howl].map((each) => each.flatMap((round) => round[which]))
      return shownFigure(which, bare ?? [], own ?? [])
    })
  } finally {
    await browser.close()
  }
}

function shownFigure(which: keyof Shown, bare: readonly number[], own: readonly number[]): Figure {
  const spread = (values: readonly number[]) =>
    `median ${duration(quantile(values, 0.5))}, p99 ${duration(quantile(values, 0.99))}, at most ${duration(quantile(values, 1))}`
  return {
    name: `${which === 'first' ? 'first word of an answer' : 'later words'}, from the model to the page, p95`,
    baseline: duration(quantile(bare, 0.95)),
    howl: duration(quantile(own, 0.95)),
    ratio: quantile(own, 0.95),
    unit: 'ms',
    reach: { atMost: SHOWN_MS },
    notes: [
      `${whole(own.length)} words (bare ${whole(bare.length)}); bare ${spread(bare)}; Howl ${spread(own)}`,
      `load of the machine ${os.loadavg()[0]?.toFixed(1)}, ${os.cpus().length} cores`,
    ],
  }
}

/** Asks one question after the other on a new page, as a person does, and looks when each word is in the document. */
async function readIn(
  browser: Browser,
  model: Model,
  answers: number,
  open: (page: Page) => Promise<unknown>,
): Promise<Shown> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.addInitScript(watchWords)
    await open(page)
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.waitFor()
    await writtenBy(model)
    const skew = await page.evaluate(clockSkew)
    for (let answer = 0; answer < answers; answer += 1) {
      const key = nextKey()
      await box.fill(`Say ${key}`)
      await box.press('Enter')
      await page
        .getByRole('log')
        .getByText(`${key}x${MODEL.words - 1}`)
        .waitFor()
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    }
    const shown = await page.evaluate(
      () => (window as unknown as { shownAt: Record<string, number> }).shownAt,
    )
    return compare(answers, await writtenBy(model), shown, skew)
  } finally {
    await context.close()
  }
}

/** In the page: notes when each word that the model counts first stands in the document. */
function watchWords(): void {
  const shownAt: Record<string, number> = {}
  Object.assign(window, { shownAt })
  const look = (node: Node, at: number) => {
    for (const [word] of (node.textContent ?? '').matchAll(/k\d+x\d+/g)) shownAt[word] ??= at
  }
  new MutationObserver((changes) => {
    const at = performance.timeOrigin + performance.now()
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') look(target, at)
      for (const node of addedNodes) look(node, at)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

function compare(answers: number, written: Written, shown: Record<string, number>, skew: number): Shown {
  const took: Shown = { first: [], later: [] }
  const asked = Object.entries(written.asked)
  if (asked.length !== answers || asked.some(([, times]) => times !== 1))
    throw new Error(`${answers} questions reached the model as ${JSON.stringify(written.asked)}`)
  for (const [key] of asked)
    for (const [place, word] of wordsOf(key).entries()) {
      const at = shown[word]
      const from = written.at[word]
      if (at === undefined || from === undefined) throw new Error(`${word} was not shown`)
      took[place === 0 ? 'first' : 'later'].push(at + skew - from)
    }
  return took
}

async function manyAtOnce(howl: BenchHowl, model: Model): Promise<Figure[]> {
  const users: TestUser[] = []
  for (let count = 0; count < USERS; count += 1) users.push(await signUp(howl.url))
  const rounds = await inTurns(
    ROUNDS_AT_ONCE,
    () => bareAtOnce(model),
    () => chatsAtOnce(howl, model, users),
  )
  const [bare, own] = [rounds.bare, rounds.howl].map((each) => quantile(each, 0.5))
  const each = (values: readonly number[]) => values.map((ms) => duration(ms)).join(', ')
  return [
    {
      name: `${CHATS_AT_ONCE} chats with a model at once, until the last is answered`,
      baseline: duration(bare ?? 0),
      howl: duration(own ?? 0),
      ratio: (own ?? 0) / (bare ?? 0),
      reach: { atMost: 2 },
      notes: [
        `each answered once, none doubled; ${ASKED_AT_ONCE} at a time reach the model on both sides`,
        `each round: bare ${each(rounds.bare)}; Howl ${each(rounds.howl)}; load of the machine ${os.loadavg()[0]?.toFixed(1)}`,
      ],
    },
  ]
}

const newKeys = () => Array.from({ length: CHATS_AT_ONCE }, nextKey)

/** Milliseconds until the last of the streams has ended, as many at a time as Howl allows itself. */
async function bareAtOnce(model: Model): Promise<number> {
  const waiting = newKeys()
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: ASKED_AT_ONCE }, async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        const response = await fetch(`${model.url}/v1/chat/completions`, {
          method: 'POST',
          body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: `Say ${key}` }] }),
        })
        const text = await response.text()
        if (!text.includes('[DONE]')) throw new Error(`The stream of ${key} broke off`)
      }
    }),
  )
  return performance.now() - begun
}

/** The same through Howl, by several users. @throws where a question is not asked, answered and stored exactly once */
async function chatsAtOnce(howl: BenchHowl, model: Model, users: readonly TestUser[]): Promise<number> {
  const keys = newKeys()
  await writtenBy(model)
  const begun = performance.now()
  const replies = await Promise.all(
    keys.map((key, place) => chat(howl, users[place % users.length], key).then((reply) => ({ key, reply }))),
  )
  const took = performance.now() - begun
  const { asked } = await writtenBy(model)
  for (const { key, reply } of replies) {
    if (asked[key] !== 1) throw new Error(`${key} was asked ${asked[key] ?? 0} times`)
    const stored = await howl.sql<{ role: string; content: string; status: string }>(
      'SELECT role, content, status FROM chat_messages WHERE session_id = $1 ORDER BY id',
      [reply.session_id],
    )
    const expected = [`user done Say ${key}`, `assistant done ${wordsOf(key).join(' ')}`]
    const found = stored.map(({ role, content, status }) => `${role} ${status} ${content}`)
    if (found.join('\n') !== expected.join('\n')) throw new Error(`${key} was stored as ${found.join('; ')}`)
  }
  return took
}

/** One conversation over the stream: its words, each once, and one end. */
async function chat(howl: BenchHowl, user: TestUser | undefined, key: string): Promise<ChatReply> {
  const response = await fetch(howl.url + pathOf(assistant.chat), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${user?.token}`,
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
    },
    body: JSON.stringify({ message: `Say ${key}` }),
  })
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  const events = lines.map((line) => JSON.parse(line.slice('data: '.length)) as ChatEvent)
  const text = events.flatMap((event) => (event.event === 'text' ? [event.text] : [])).join('')
  const ends = events.filter(({ event }) => event === 'done' || event === 'failed')
  const [end] = ends
  if (end?.event !== 'done' || ends.length !== 1 || text !== wordsOf(key).join(' '))
    throw new Error(
      `The chat ${key} was told ${text} and ended with ${ends.map(({ event }) => event).join(', ')}`,
    )
  return end.reply
}
