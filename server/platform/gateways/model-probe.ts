import * as z from 'zod/mini'
import { farWords } from './far-words.ts'
import { type LanguageModel, makeLanguageModel, type ModelConfig, ModelFailure } from './language-model.ts'
import { NoToolCalling, streamAnswer } from './model-conversation.ts'
import { modelFailure } from './model-failure.ts'
import { refusal, requestModel, textOf } from './model-request.ts'

/** How one part of a test went: yes, or no with what came instead. */
export type ProbeOutcome =
  | { ok: true }
  | { ok: false; instead: ModelFailure | 'at once' | 'unknown' | 'text' }

export type ModelProbes = {
  answers: ProbeOutcome
  /** Null where there is no answer to look at. */
  streams: ProbeOutcome | null
  callsTools: ProbeOutcome | null
  keepsToJson: ProbeOutcome | null
  firstWordsMs: number | null
}

/** Room for a model that thinks before it answers. */
const OUTPUT_TOKENS = 1500
const NAME_MAX = 200

const SYSTEM = 'You are being tested. Be as brief as possible.'
const shape = z.object({ city: z.string(), days: z.number() })
const TOOL = {
  name: 'find_contact',
  description: 'Find a contact by name',
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}

/**
 * Tries what a model can do: whether it answers, streams, calls tools and keeps to JSON. Nothing of a user is sent.
 *
 * @param withinMs for all of it
 */
export async function probeModel(config: ModelConfig, withinMs: number): Promise<ModelProbes> {
  const signal = AbortSignal.timeout(withinMs)
  const model = makeLanguageModel(config, { deadlineMs: withinMs })
  const answers = await outcome(signal, () => answerOf(model, signal))
  if (!answers.ok) return { answers, streams: null, callsTools: null, keepsToJson: null, firstWordsMs: null }
  let firstWordsMs: number | null = null
  const streams = await outcome(signal, async () => {
    const began = performance.now()
    let pieces = 0
    await streamAnswer(
      config,
      {
        turns: [
          { role: 'system', content: SYSTEM },
          { role: 'user', content: 'Count from one to ten, in words.' },
        ],
        tools: [],
        maxOutputTokens: OUTPUT_TOKENS,
        signal,
      },
      false,
      () => {
        firstWordsMs ??= Math.round(performance.now() - began)
        pieces += 1
      },
    )
    return pieces > 1 ? null : 'at once'
  })
  const [callsTools, keepsToJson] = await Promise.all([
    outcome(signal, () => toolCallOf(config, signal)),
    outcome(signal, () => jsonOf(model, signal)),
  ])
  return { answers, streams, callsTools, keepsToJson, firstWordsMs }
}

type Instead = Exclude<ProbeOutcome, { ok: true }>['instead']

/** `work` says what came instead, null for what was asked for. */
async function outcome(signal: AbortSignal, work: () => Promise<Instead | null>): Promise<ProbeOutcome> {
  try {
    const instead = await work()
    return instead === null ? { ok: true } : { ok: false, instead }
  } catch (error) {
    if (error instanceof NoToolCalling) return { ok: false, instead: 'unknown' }
    if (signal.aborted) return { ok: false, instead: new ModelFailure('slow', 'It took too long') }
    if (error instanceof ModelFailure) return { ok: false, instead: error }
    throw error
  }
}

async function answerOf(model: LanguageModel, signal: AbortSignal): Promise<null> {
  await model.write({ system: SYSTEM, prompt: 'Say hello.', maxOutputTokens: OUTPUT_TOKENS, signal })
  return null
}

async function toolCallOf(config: ModelConfig, signal: AbortSignal): Promise<Instead | null> {
  const { calls } = await streamAnswer(
    config,
    {
      turns: [
        { role: 'system', content: `${SYSTEM} Use the tool.` },
        { role: 'user', content: 'Find the contact Ann Lee.' },
      ],
      tools: [TOOL],
      maxOutputTokens: OUTPUT_TOKENS,
      signal,
    },
    false,
    () => {},
  )
  return calls.some(({ name }) => name === TOOL.name) ? null : 'text'
}

async function jsonOf(model: LanguageModel, signal: AbortSignal): Promise<Instead | null> {
  try {
    const prompt = 'Somebody stays in Berlin for three days.'
    await model.write({ system: SYSTEM, prompt, maxOutputTokens: OUTPUT_TOKENS, signal, schema: shape })
    return null
  } catch (error) {
    if (error instanceof ModelFailure && error.kind === 'rubbish') return 'text'
    throw error
  }
}

/** What `GET /models` of an OpenAI-compatible server lists, the first `max` in order of name. @throws {ModelFailure} */
export async function listModels(
  config: Omit<ModelConfig, 'name'>,
  { max, signal }: { max: number; signal: AbortSignal },
): Promise<string[]> {
  try {
    const response = await requestModel(config, '/models', { signal })
    const text = await textOf(response)
    if (!response.ok) throw refusal(response, text)
    return namesIn(text).slice(0, max)
  } catch (error) {
    if (signal.aborted) throw new ModelFailure('slow', 'It took too long', error)
    throw modelFailure(error)
  }
}

function namesIn(text: string): string[] {
  let list: unknown
  try {
    list = (JSON.parse(text) as { data?: unknown } | null)?.data
  } catch {
    list = undefined
  }
  if (!Array.isArray(list)) throw new ModelFailure('rubbish', 'It is no list of models')
  const names = list.map((entry) => (entry as { id?: unknown } | null)?.id)
  return [
    ...new Set(
      names
        .filter((name) => typeof name === 'string')
        .map((name) => farWords(name))
        .filter((name) => name !== '' && name.length <= NAME_MAX),
    ),
  ].toSorted((one, other) => one.localeCompare(other))
}
