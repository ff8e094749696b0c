import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/v4/core'
import {
  countedTokens,
  type ConversationAnswer,
  type ConversationRequest,
  type ModelConfig,
  type ModelUsage,
  NoToolCalling,
  streamAnswer,
} from './model-conversation.ts'
import { ModelFailure, modelFailure } from './model-failure.ts'

export type { ModelConfig, ModelUsage } from './model-conversation.ts'
export { ModelFailure } from './model-failure.ts'

/** A mail is written in seconds; beyond this the template is used. */
export const MODEL_DEADLINE_MS = 30_000

/** Bytes of an answer that are read: a server that never stops is cut off. */
const MAX_REPLY_BYTES = 1024 * 1024

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
  const turns = turnsOf(AT_ONCE, WAITING_MAX)
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
    const leave = await turns(request.signal)
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

/** Lets `atOnce` in at the same time, in the order of their coming. @throws {ModelFailure} when too many wait */
function turnsOf(atOnce: number, waitingMax: number): (signal: AbortSignal) => Promise<() => void> {
  let inside = 0
  const waiting: (() => void)[] = []
  // Whoever leaves hands the place over, so that nobody slips in between.
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) inside -= 1
    else next()
  }
  return async (signal) => {
    if (inside < atOnce) {
      inside += 1
      return leave
    }
    if (waiting.length >= waitingMax) throw new ModelFailure('down', 'Too many wait for the language model')
    const turn = Promise.withResolvers<void>()
    waiting.push(turn.resolve)
    const giveUp = () => turn.reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      await turn.promise
      return leave
    } catch (error) {
      waiting.splice(waiting.indexOf(turn.resolve), 1)
      throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
}

async function ask(config: ModelConfig, request: WriteRequest, deadlineMs: number) {
  // Heavy, and unused without a model.
  const [{ generateText }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ])
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: config.baseUrl,
    fetch: fetchWithCap(config.fetch ?? fetch),
    ...(config.apiKey ? { apiKey: config.apiKey } : {}),
  })
  const deadline = AbortSignal.timeout(deadlineMs)
  let isTold = false
  const tell = (usage: ModelUsage) => {
    if (!isTold) request.onUsage?.(usage)
    isTold = true
  }
  try {
    const result = await generateText({
      model: provider.chatModel(config.name),
      instructions: request.system,
      prompt: request.prompt,
      maxOutputTokens: request.maxOutputTokens,
      maxRetries: 0,
      abortSignal: request.signal ? AbortSignal.any([deadline, request.signal]) : deadline,
    })
    const usage = usageOf(result.usage, request, result.text)
    tell(usage)
    return { text: usableText(result.text, result.finishReason), usage }
  } catch (error) {
    // Left while it thinks, or not understood: the model has read the question all the same.
    const failure = modelFailure(error)
    if (request.signal?.aborted === true || deadline.aborted || failure.kind === 'rubbish')
      tell(usageOf({ inputTokens: undefined, outputTokens: undefined }, request, ''))
    request.signal?.throwIfAborted()
    if (deadline.aborted) throw new ModelFailure('slow', 'The language model took too long', error)
    throw failure
  }
}

/** `fetch` without redirects, whose body fails beyond MAX_REPLY_BYTES. */
function fetchWithCap(fetchFirst: typeof fetch): typeof fetch {
  return async (input, init) => {
    // As in conversations, a server may not send us on.
    const response = await fetchFirst(input, { ...init, redirect: 'error' })
    let bytes = 0
    const cap = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.length
        if (bytes > MAX_REPLY_BYTES)
          controller.error(new ModelFailure('rubbish', 'The answer was far too long'))
        else controller.enqueue(piece)
      },
    })
    const { status, statusText, headers } = response
    return new Response(response.body?.pipeThrough(cap) ?? null, { status, statusText, headers })
  }
}

function usableText(answer: string, finishReason: string): string {
  if (finishReason === 'content-filter')
    throw new ModelFailure('refused', 'The language model declined to answer')
  // Half a mail is worse than the template.
  if (finishReason === 'length') throw new ModelFailure('rubbish', 'The answer was cut short')
  // Models that show their reasoning put it in front of the answer.
  const text = answer.replace(/<think>[\s\S]*?(<\/think>|$)/g, '').trim()
  if (!text) throw new ModelFailure('rubbish', 'The answer was empty')
  if (text.length > MAX_TEXT_LENGTH) throw new ModelFailure('rubbish', 'The answer was far too long')
  return text
}

function usageOf(
  usage: { inputTokens: number | undefined; outputTokens: number | undefined },
  request: WriteRequest,
  text: string,
): ModelUsage {
  return {
    inputTokens: countedTokens(usage.inputTokens, request.system.length + request.prompt.length),
    outputTokens: countedTokens(usage.outputTokens, text.length),
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
