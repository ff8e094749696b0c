import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/v4/core'
import { makePlaces } from '../places.ts'
import {
  countedTokens,
  type ConversationAnswer,
  type ConversationRequest,
  type ModelUsage,
  NoToolCalling,
  streamAnswer,
} from './model-conversation.ts'
import { ModelFailure, modelFailure } from './model-failure.ts'
import { type ModelConfig, refusal, requestModel, textOf } from './model-request.ts'

export type { ModelUsage } from './model-conversation.ts'
export { ModelFailure } from './model-failure.ts'
export type { ModelConfig } from './model-request.ts'

/** A mail is written in seconds; beyond this the template is used. */
export const MODEL_DEADLINE_MS = 30_000

/** Characters of text that are kept; the longest mail is far shorter. */
const MAX_TEXT_LENGTH = 40_000

export type WriteRequest = {
  system: string
  prompt: string
  maxOutputTokens: number
  signal?: AbortSignal | undefined
  /** Told what the request has used, whatever became of it. */
  onUsage?: (usage: ModelUsage) => void
}

export type LanguageModel = {
  /** False without a configured model: use the template right away. */
  readonly available: boolean
  /** The model's name, for "written by …". */
  readonly name: string | null
  /**
   * One request, one answer. With a Zod schema the answer is the object that the schema accepted, otherwise plain
   * text.
   *
   * @throws {ModelFailure} or the signal's own reason when the caller aborted
   */
  write<T>(request: WriteRequest & { schema: z.$ZodType<T> }): Promise<{ object: T; usage: ModelUsage }>
  write(request: WriteRequest): Promise<{ text: string; usage: ModelUsage }>
  /**
   * One answer of a conversation, piece by piece, or the tools that it calls. A model that does not know tool calling gets a
   * JSON form. Where nothing was said yet it is asked once more.
   *
   * @throws {ModelFailure} or the signal's own reason
   */
  converse(request: ConversationRequest, onText: (piece: string) => void): Promise<ConversationAnswer>
}

/** Conversations with one server at the same time, and those that wait for their turn. */
const AT_ONCE = 8
const WAITING_MAX = 200
/** After so many failures in a row the server is left alone for a while. */
const FAILURES_MAX = 5
const LEFT_ALONE_MS = 60_000
const RETRY_AFTER_MS = 300

/** One question to a model, and how it ended. */
export type ModelCall = { seconds: number; outcome: 'answered' | 'aborted' | ModelFailure['kind'] }

/** `work`, told to whoever counts. */
function told<A extends unknown[], T>(
  onCall: ((call: ModelCall) => void) | undefined,
  work: (...given: A) => Promise<T>,
): (...given: A) => Promise<T> {
  if (onCall === undefined) return work
  return async (...given) => {
    const began = performance.now()
    const tell = (outcome: ModelCall['outcome']) =>
      onCall({ seconds: (performance.now() - began) / 1000, outcome })
    try {
      const answer = await work(...given)
      tell('answered')
      return answer
    } catch (error) {
      tell(error instanceof ModelFailure ? error.kind : 'aborted')
      throw error
    }
  }
}

/** The model of this configuration; nothing is loaded or dialled before the first request. */
export function makeLanguageModel(
  config: ModelConfig | null,
  options: { deadlineMs?: number; onCall?: (call: ModelCall) => void } = {},
): LanguageModel {
  const deadlineMs = options.deadlineMs ?? MODEL_DEADLINE_MS
  async function write(request: WriteRequest & { schema?: z.$ZodType }): Promise<unknown> {
    if (!config) throw new ModelFailure('down', 'No language model is configured')
    const { schema } = request
    const system = schema ? `${request.system}\n\n${schemaInstruction(schema)}` : request.system
    const { text, usage } = await ask(config, { ...request, system }, deadlineMs)
    return schema ? { object: objectFrom(text, schema), usage } : { text, usage }
  }
  return {
    available: config !== null,
    name: config?.name ?? null,
    write: told(config === null ? undefined : options.onCall, write) as LanguageModel['write'],
    converse: told(config === null ? undefined : options.onCall, conversationWith(config)),
  }
}

/** {@link LanguageModel.converse}: in turn, with a breaker, and once more where nothing was said. */
function conversationWith(config: ModelConfig | null): LanguageModel['converse'] {
  const places = makePlaces(AT_ONCE, (waiting) => {
    if (waiting >= WAITING_MAX) throw new ModelFailure('down', 'Too many wait for the language model')
  })
  let failures = 0
  let leftAloneUntil = 0
  let usesJson = false

  async function attempt(request: ConversationRequest, onText: (piece: string) => void) {
    if (!config) throw new ModelFailure('down', 'No language model is configured')
    try {
      return await streamAnswer(config, request, usesJson, onText)
    } catch (error) {
      if (!(error instanceof NoToolCalling)) throw error
      usesJson = true
      return streamAnswer(config, request, true, onText)
    }
  }
  return async (request, onText) => {
    if (performance.now() < leftAloneUntil)
      throw new ModelFailure(
        'down',
        'The language model failed several times in a row; it is left alone for a minute',
      )
    const leave = await places(request.signal)
    let said = 0
    const hear = (piece: string) => {
      said += piece.length
      onText(piece)
    }
    try {
      const answer = await attempt(request, hear).catch(async (error: unknown) => {
        if (!(error instanceof ModelFailure) || error.kind !== 'down' || said > 0) throw error
        await setTimeout(RETRY_AFTER_MS, undefined, { signal: request.signal }).catch(() => {})
        request.signal.throwIfAborted()
        return attempt(request, hear)
      })
      failures = 0
      return answer
    } catch (cause) {
      const isLate = request.signal.aborted && (request.signal.reason as Error).name === 'TimeoutError'
      const error = isLate ? new ModelFailure('slow', 'The language model took too long', cause) : cause
      const isDown = error instanceof ModelFailure && (error.kind === 'down' || error.kind === 'slow')
      if (error instanceof ModelFailure) failures = isDown ? failures + 1 : 0
      if (failures >= FAILURES_MAX) leftAloneUntil = performance.now() + LEFT_ALONE_MS
      throw error
    } finally {
      leave()
    }
  }
}

async function ask(config: ModelConfig, request: WriteRequest, deadlineMs: number) {
  const deadline = AbortSignal.timeout(deadlineMs)
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
  let isTold = false
  const tell = (usage: ModelUsage) => {
    if (!isTold) request.onUsage?.(usage)
    isTold = true
  }
  try {
    const { text, finish, counted } = await wholeAnswer(config, request, signal)
    const usage = usageOf(counted, request, text)
    tell(usage)
    return { text: usableText(text, finish), usage }
  } catch (error) {
    // Left while it thinks, or not understood: the model has read the question all the same.
    const failure = modelFailure(error)
    if (signal.aborted || failure.kind === 'rubbish') tell(usageOf(undefined, request, ''))
    request.signal?.throwIfAborted()
    if (deadline.aborted) throw new ModelFailure('slow', 'The language model took too long', error)
    throw failure
  }
}

/** What is read of an answer that comes at once. Some servers give its text in parts. */
type Whole = {
  choices: [{ message: { content?: unknown; refusal?: unknown }; finish_reason?: string | null }]
  usage?: Counted
}
type Counted = { prompt_tokens?: unknown; completion_tokens?: unknown } | null | undefined

/** @throws {ModelFailure}, or what `fetch` throws */
async function wholeAnswer(config: ModelConfig, request: WriteRequest, signal: AbortSignal) {
  const messages = [
    { role: 'system', content: request.system },
    { role: 'user', content: request.prompt },
  ]
  const body = { model: config.name, max_tokens: request.maxOutputTokens, messages }
  const response = await requestModel(config, '/chat/completions', { body, signal })
  if (!response.ok) throw refusal(response, await textOf(response), response.statusText)
  try {
    // An answer of another shape ends as one that is no JSON.
    const { choices, usage } = JSON.parse(await textOf(response)) as Whole
    const [{ message, finish_reason: finish }] = choices
    const isRefused = typeof message.refusal === 'string' && message.refusal !== ''
    return { text: textIn(message.content), finish: isRefused ? 'content_filter' : finish, counted: usage }
  } catch (error) {
    if (error instanceof ModelFailure) throw error
    throw modelFailure({ statusCode: response.status, cause: error })
  }
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  const parts = content as { type?: unknown; text?: unknown }[]
  return parts.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '')).join('')
}

function usableText(answer: string, finish: string | null | undefined): string {
  if (finish === 'content_filter') throw new ModelFailure('refused', 'The language model declined to answer')
  // Half a mail is worse than the template.
  if (finish === 'length') throw new ModelFailure('rubbish', 'The answer was cut short')
  // Models that show their reasoning put it in front of the answer.
  const text = answer.replace(/<think>[\s\S]*?(<\/think>|$)/g, '').trim()
  if (!text) throw new ModelFailure('rubbish', 'The answer was empty')
  if (text.length > MAX_TEXT_LENGTH) throw new ModelFailure('rubbish', 'The answer was far too long')
  return text
}

function usageOf(counted: Counted, request: WriteRequest, text: string): ModelUsage {
  return {
    inputTokens: countedTokens(counted?.prompt_tokens, request.system.length + request.prompt.length),
    outputTokens: countedTokens(counted?.completion_tokens, text.length),
  }
}

// Requested in the prompt: `response_format` is what self-hosted servers most often lack or refuse.
function schemaInstruction(schema: z.$ZodType): string {
  const shape = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))
  return `Answer with one JSON object and nothing else. It must match this JSON schema:\n${shape}`
}

function objectFrom<T>(text: string, schema: z.$ZodType<T>): T {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new ModelFailure('rubbish', 'The answer was no JSON', error)
  }
  const parsed = z.safeParse(schema, value)
  if (!parsed.success)
    throw new ModelFailure('rubbish', 'The answer did not have the asked shape', parsed.error)
  return parsed.data
}
