import * as z from 'zod/v4/core'
import { farWords } from './far-words.ts'

/** A mail is written in seconds; beyond this the template is used. */
export const MODEL_DEADLINE_MS = 30_000

/** Bytes of an answer that are read: a server that never stops is cut off. */
const MAX_REPLY_BYTES = 1024 * 1024

/** Characters of text that are kept; the longest mail is far shorter. */
const MAX_TEXT_LENGTH = 40_000

/** Without a token count from the server, four characters count as one token. */
const CHARACTERS_PER_TOKEN = 4

/**
 * `down`: no answer, or a server error · `slow`: past the deadline · `rubbish`: a useless answer · `refused`: it
 * declines this request, or us · `budget`: no more tokens or money, the provider's or ours.
 */
export type ModelFailureKind = 'down' | 'slow' | 'rubbish' | 'refused' | 'budget'

/** No text was produced; `words` are fit to show. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: ModelFailureKind
  readonly words: string
  constructor(kind: ModelFailureKind, words: string, cause?: unknown) {
    super(`${kind}: ${words}`, { cause })
    this.kind = kind
    this.words = words
  }
}

/** An OpenAI-compatible server: base URL including "/v1", a key if one is required, the model's name. */
export type ModelConfig = { baseUrl: string; apiKey: string | null; name: string }

export type ModelUsage = { inputTokens: number; outputTokens: number }
export type WriteRequest = {
  system: string
  prompt: string
  maxOutputTokens: number
  signal?: AbortSignal | undefined
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
}

/** The model of this configuration; nothing is loaded or dialled before the first request. */
export function makeLanguageModel(
  config: ModelConfig | null,
  options: { deadlineMs?: number } = {},
): LanguageModel {
  const deadlineMs = options.deadlineMs ?? MODEL_DEADLINE_MS
  async function write(request: WriteRequest & { schema?: z.$ZodType }): Promise<unknown> {
    if (!config) throw new ModelFailure('down', 'No language model is configured')
    const { schema } = request
    const system = schema ? `${request.system}\n\n${schemaInstruction(schema)}` : request.system
    const { text, usage } = await ask(config, { ...request, system }, deadlineMs)
    return schema ? { object: objectFrom(text, schema), usage } : { text, usage }
  }
  return { available: config !== null, name: config?.name ?? null, write: write as LanguageModel['write'] }
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
    fetch: fetchWithCap,
    ...(config.apiKey ? { apiKey: config.apiKey } : {}),
  })
  const deadline = AbortSignal.timeout(deadlineMs)
  try {
    const result = await generateText({
      model: provider.chatModel(config.name),
      instructions: request.system,
      prompt: request.prompt,
      maxOutputTokens: request.maxOutputTokens,
      maxRetries: 0,
      abortSignal: request.signal ? AbortSignal.any([deadline, request.signal]) : deadline,
    })
    const text = usableText(result.text, result.finishReason)
    return { text, usage: usageOf(result.usage, request, text) }
  } catch (error) {
    request.signal?.throwIfAborted()
    if (deadline.aborted) throw new ModelFailure('slow', 'The language model took too long', error)
    throw modelFailure(error)
  }
}

/** `fetch`, but the body fails beyond MAX_REPLY_BYTES. */
async function fetchWithCap(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
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
  const estimate = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN)
  return {
    inputTokens: usage.inputTokens ?? estimate(request.system.length + request.prompt.length),
    outputTokens: usage.outputTokens ?? estimate(text.length),
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

/** Classifies what the SDK throws, by the HTTP status if there is one. */
function modelFailure(error: unknown): ModelFailure {
  const own = causes(error).find((one) => one instanceof ModelFailure)
  if (own) return own
  const { statusCode: status, message = '' } = (error ?? {}) as { statusCode?: number; message?: string }
  const words = farWords(message)
  if (status === undefined || status >= 500) {
    const answered = status !== undefined || /JSON|response/i.test(message)
    return new ModelFailure(status === 504 ? 'slow' : 'down', answered ? words : 'No connection', error)
  }
  if (status === 408) return new ModelFailure('slow', words, error)
  if (status === 402 || status === 429) return new ModelFailure('budget', words, error)
  if (status >= 400) return new ModelFailure('refused', words, error)
  // The server answered with success, but the SDK could not read it.
  return new ModelFailure('rubbish', 'The answer could not be read', error)
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let one = error; one instanceof Error && chain.length < 8; one = one.cause) chain.push(one)
  return chain
}
