import { Temporal } from 'temporal-polyfill'
import * as z from 'zod/mini'
import { INTENTS } from '#contract/mail/emails.ts'
import type { ChatReply } from '#contract/assistant/assistant.ts'
import type { LanguageModel } from '#server/platform/gateways/language-model.ts'
import { classifyReply } from '#server/formats/mail-text/intents/intents.ts'
import { saidTime } from '#server/assistant/rules/said-time.ts'
import { askWolfy, type Business } from '../support/muster-business.ts'
import type { TestApp } from '../support/test-app.ts'
import { judgeQuestion, judgeUnseen, judgeWish, type Outcome } from './outcome.ts'
import { QUESTIONS, TIMES, WISHES } from './questions.ts'
import { lastMail, THREADS } from './threads.ts'
import { isHeldOut, unseen } from './unseen.ts'

/** The cases of one kind and what came of them; tokens are those of the model. */
export type Group = { name: string; outcomes: Outcome[]; tokens: number }

export const GROUPS = ['questions', 'wishes', 'times', 'intents', 'unseen', 'held out'] as const
export type GroupName = (typeof GROUPS)[number]

/** Who is asked: Wolfy of an app about its business; `model` is that of the app, null for the rules. */
export type Asked = { app: TestApp; business: Business; model: LanguageModel | null }

const SAID_AT = new Date('2026-11-23T09:00:00Z')
const INTENT_WORDS =
  'interested, not_interested, meeting_request, question, out_of_office, unsubscribe, or other (nothing of these)'

export async function runGroup(name: GroupName, asked: Asked): Promise<Group> {
  const tokens = await tokensUsed(asked)
  const spent = { tokens: 0 }
  const outcomes: Outcome[] = []
  if (name === 'questions')
    for (const each of QUESTIONS)
      outcomes.push(await timed(asked, each.ask, (...got) => judgeQuestion(each, ...got)))
  if (name === 'wishes')
    for (const each of WISHES)
      outcomes.push(await timed(asked, each.ask, (...got) => judgeWish(each, ...got)))
  if (name === 'times') for (const each of TIMES) outcomes.push(await readTime(asked, each, spent))
  if (name === 'intents')
    for (const [number] of THREADS.entries()) outcomes.push(await readIntent(asked, number, spent))
  if (name === 'unseen' || name === 'held out')
    for (const each of unseen.filter((one) => isHeldOut(one) === (name === 'held out')))
      outcomes.push(await timed(asked, each.ask, (...got) => judgeUnseen(each, ...got), each.before))
  return { name, outcomes, tokens: (await tokensUsed(asked)) - tokens + spent.tokens }
}

/** Asks Wolfy. A call that fails is a case without an answer. */
async function timed(
  { app, business }: Asked,
  ask: string,
  judge: (reply: ChatReply, ms: number) => Outcome,
  before?: string,
): Promise<Outcome> {
  const first = before === undefined ? null : await askWolfy(app, business.user, before)
  const begun = performance.now()
  const { status, body, error } = await askWolfy(
    app,
    business.user,
    ask,
    first?.status === 200 ? { session_id: first.body.session_id } : {},
  )
  const ms = performance.now() - begun
  if (status !== 200)
    return { asked: ask, expected: 'an answer', got: `${status} ${error.detail}`, points: 0, ms }
  return judge(body, ms)
}

/** Tokens of all that Wolfy has asked the model so far. */
async function tokensUsed({ app }: Asked): Promise<number> {
  const { tokens } = await app.context.db
    .selectFrom('ai_uses')
    .select(({ fn }) => [
      fn.sum<string>('input_tokens').as('input'),
      fn.sum<string>('output_tokens').as('output'),
    ])
    .executeTakeFirstOrThrow()
    .then(({ input, output }) => ({ tokens: Number(input ?? 0) + Number(output ?? 0) }))
  return tokens
}

type Spent = { tokens: number }

/** Asks the model itself for one value; null with its failure where it gives none. */
async function askModel<T>(
  model: LanguageModel,
  prompt: string,
  schema: z.ZodMiniType<T>,
  spent: Spent,
): Promise<{ value: T | null; got: string }> {
  try {
    const { object, usage } = await model.write({
      system: 'You read what people write. Answer with the value only.',
      prompt,
      maxOutputTokens: 200,
      schema,
    })
    spent.tokens += usage.inputTokens + usage.outputTokens
    return { value: object, got: JSON.stringify(object) }
  } catch (error) {
    return { value: null, got: (error as Error).message }
  }
}

async function readTime(
  { model }: Asked,
  [words, zone, means]: (typeof TIMES)[number],
  spent: Spent,
): Promise<Outcome> {
  const begun = performance.now()
  const local = Temporal.Instant.fromEpochMilliseconds(SAID_AT.getTime()).toZonedDateTimeISO(zone)
  const read =
    model === null
      ? { value: { time: timeByRules(words, zone) }, got: timeByRules(words, zone) ?? 'no time' }
      : await askModel(
          model,
          `It is ${local.toLocaleString('en-GB', { weekday: 'long' })}, ${local.toPlainDateTime().toString({ smallestUnit: 'minute' })} in ${zone}. Somebody there plans a meeting “${words}”. Hours without a.m. or p.m. are in working hours. When is it, in local time? Like 2026-11-23T15:00, or 2026-11-23 where no hour was said.`,
          z.object({ time: z.nullable(z.string()) }),
          spent,
        )
  const time = read.value?.time ?? null
  return {
    asked: `${words} in ${zone}`,
    expected: means,
    got: read.got,
    points: time === means ? 1 : time === null ? 0 : -1,
    ms: performance.now() - begun,
  }
}

function timeByRules(words: string, zone: string): string | null {
  const said = saidTime(words, SAID_AT, zone)
  if (said?.at == null) return said?.day ?? null
  return Temporal.Instant.fromEpochMilliseconds(said.at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}

/** The rules read the last mail as it arrives; the model is given the whole conversation. */
async function readIntent({ model }: Asked, number: number, spent: Spent): Promise<Outcome> {
  const thread = THREADS[number]
  if (thread === undefined) throw new Error(`There is no thread ${number}`)
  const begun = performance.now()
  const last = lastMail(thread, number)
  const earlier = thread.mails
    .slice(0, -1)
    .map(({ by, text }) => `${by === 'us' ? 'We' : 'They'} wrote:\n${text}`)
  const read =
    model === null
      ? { value: { intent: classifyReply(last) }, got: classifyReply(last) }
      : await askModel(
          model,
          `A conversation by mail, oldest first:\n\n${[...earlier, `They wrote last:\n${last}`].join('\n\n')}\n\nWhat does the writer of the last mail want? One of ${INTENT_WORDS}.`,
          z.object({ intent: z.enum(INTENTS) }),
          spent,
        )
  const intent = read.value?.intent ?? null
  return {
    asked: thread.mails.at(-1)?.text ?? '',
    expected: thread.intent,
    got: read.got,
    points: intent === thread.intent ? 1 : intent === null || intent === 'other' ? 0 : -1,
    ms: performance.now() - begun,
  }
}

/**
 * "questions: 38 of 40, 1 wrong; score 37; 3.2 s, 41,000 tokens", and what is not right. Of what is held out only the score is
 * told: whoever mends the rules must not see it.
 */
export function describeGroup({ name, outcomes, tokens }: Group): string {
  const right = outcomes.filter(({ points }) => points === 1).length
  const wrong = outcomes.filter(({ points }) => points === -1).length
  const seconds = outcomes.reduce((sum, { ms }) => sum + ms, 0) / 1000
  return [
    `${name}: ${right} of ${outcomes.length} right, ${wrong} wrong; score ${right - wrong}; ${seconds.toFixed(1)} s${tokens > 0 ? `, ${tokens.toLocaleString('en')} tokens` : ''}`,
    ...(name === 'held out' ? [] : outcomes)
      .filter(({ points }) => points !== 1)
      .map(
        ({ asked, expected, got, points }) =>
          `  ${points === -1 ? 'wrong' : 'no answer'}: ${asked}\n    expected ${expected}\n    got ${got.replaceAll('\n', '\n      ')}`,
      ),
  ].join('\n')
}

export const rightOf = ({ outcomes }: Group) => outcomes.filter(({ points }) => points === 1).length
export const scoreOf = ({ outcomes }: Group) => outcomes.reduce((sum, { points }) => sum + points, 0)
