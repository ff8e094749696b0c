import { ModelFailure, modelFailure } from './model-failure.ts'
import { type ModelConfig, refusal, requestModel, textOf } from './model-request.ts'

/** Bytes of one answer that are read. */
const REPLY_MAX_BYTES = 2 * 1024 * 1024
const TEXT_MAX = 40_000
/** Tools that one answer may call, and characters of what it gives them. */
const CALLS_MAX = 16
const ARGUMENTS_MAX = 50_000
/** Without a token count from the server, four characters count as one token. */
const CHARACTERS_PER_TOKEN = 4
/** Tokens that one answer may claim. */
const TOKENS_MAX = 1_000_000_000
/** Reasoning that some models put in front of their answer. */
const THINKING = '<think>'
const THOUGHT = '</think>'

export type ModelUsage = { inputTokens: number; outputTokens: number }
/** A tool that the model may call; `parameters` is the JSON schema of its input. */
export type ModelTool = { name: string; description: string; parameters: unknown }
export type ModelCall = { id: string; name: string; arguments: string }
export type ModelTurn =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; calls?: readonly ModelCall[] }
  | { role: 'tool'; content: string; callId: string; name: string }

export type ConversationRequest = {
  turns: readonly ModelTurn[]
  tools: readonly ModelTool[]
  maxOutputTokens: number
  /** Ends the request; its reason is thrown. */
  signal: AbortSignal
  /** Told what each attempt has used, whatever became of it. */
  onUsage?: (usage: ModelUsage) => void
}
export type ConversationAnswer = { text: string; calls: ModelCall[]; usage: ModelUsage }

/** The server does not know tool calling: the JSON form is used instead. */
export class NoToolCalling extends Error {}

/**
 * One answer of a model as it comes, over the streaming form of chat completions (OpenAI and compatible servers). `onText`
 * gets each piece of text.
 *
 * @param asJson how tools are called: by the protocol, or by an answer that is one JSON object
 * @throws {ModelFailure}; {@link NoToolCalling}; the reason of the signal
 */
export async function streamAnswer(
  config: ModelConfig,
  request: ConversationRequest,
  asJson: boolean,
  onText: (piece: string) => void,
): Promise<ConversationAnswer> {
  const { signal } = request
  const usesTools = request.tools.length > 0
  const body = {
    model: config.name,
    stream: true,
    max_tokens: request.maxOutputTokens,
    messages: asJson && usesTools ? jsonTurns(request) : request.turns.map(protocolTurn),
    ...(usesTools && !asJson
      ? { tools: request.tools.map((tool) => ({ type: 'function', function: tool })) }
      : {}),
  }
  const asked = JSON.stringify(body.messages).length
  let reader: ReturnType<typeof answerReader> | null = null
  signal.throwIfAborted()
  try {
    const response = await requestModel(config, '/chat/completions', {
      body,
      accept: 'text/event-stream',
      signal,
    })
    if (!response.ok || response.body === null) throw await refusalOf(response, usesTools && !asJson)
    reader = answerReader(asJson && usesTools, onText)
    for await (const data of dataLines(response.body)) reader.read(data)
    return reader.end(asked)
  } catch (error) {
    if (error instanceof ModelFailure || error instanceof NoToolCalling) throw error
    signal.throwIfAborted()
    throw modelFailure(error)
  } finally {
    // A model that is left while it thinks has read the question all the same.
    const used =
      reader?.usage(asked) ?? (signal.aborted ? { inputTokens: tokensIn(asked), outputTokens: 0 } : null)
    if (used !== null) request.onUsage?.(used)
  }
}

async function refusalOf(response: Response, usesTools: boolean): Promise<Error> {
  const text = await textOf(response)
  const { status } = response
  if (usesTools && [400, 404, 405, 415, 422, 501].includes(status) && /tool|function/i.test(text))
    return new NoToolCalling()
  return refusal(response, text)
}

/** The `data:` lines of a stream, until `[DONE]`. @throws {ModelFailure} for one that does not end */
async function* dataLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let bytes = 0
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > REPLY_MAX_BYTES) throw new ModelFailure('rubbish', 'The answer was far too long')
    const text = decoder.decode(piece, { stream: true })
    rest += text
    // A line in a million pieces would otherwise be read a million times.
    if (!text.includes('\n')) continue
    const lines = rest.split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data:')) continue
      const data = line.slice(5).trim()
      if (data === '[DONE]') return
      yield data
    }
  }
  // A server that ignores `stream` answers with one JSON object.
  if (rest.trim() !== '') yield rest.replace(/^data:/, '').trim()
}

type Delta = {
  content?: string | null
  tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[]
}
type Chunk = {
  choices?: { delta?: Delta; message?: Delta; finish_reason?: string | null }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null
  error?: unknown
}

function answerReader(asJson: boolean, onText: (piece: string) => void) {
  const calls: ModelCall[] = []
  let raw = ''
  let said = 0
  let usage: Chunk['usage'] = null
  let finish: string | null = null
  let isRead = false

  const say = (isEnd: boolean) => {
    const text = spoken(raw, isEnd)
    // A call in the JSON form is not said.
    if (text === null || (asJson && /^\s*[{`]/.test(text))) return
    if (text.length > TEXT_MAX) throw new ModelFailure('rubbish', 'The answer was far too long')
    const piece = text.slice(said)
    said = text.length
    if (piece !== '') onText(piece)
  }
  return {
    read(data: string): void {
      let chunk: Chunk
      try {
        chunk = JSON.parse(data) as Chunk
      } catch (error) {
        throw new ModelFailure('rubbish', 'The answer could not be read', error)
      }
      if (chunk.error !== undefined && chunk.error !== null)
        throw new ModelFailure('down', 'The language model broke off')
      const [choice] = Array.isArray(chunk.choices) ? chunk.choices : []
      const delta = choice?.delta ?? choice?.message
      if (delta !== undefined) isRead = true
      usage = chunk.usage ?? usage
      finish = choice?.finish_reason ?? finish
      for (const [place, call] of (delta?.tool_calls ?? []).entries()) addCall(calls, call, place)
      if (typeof delta?.content === 'string' && delta.content !== '') {
        raw += delta.content
        say(false)
      }
    },
    end(asked: number): ConversationAnswer {
      if (!isRead) throw new ModelFailure('rubbish', 'The answer could not be read')
      if (finish === null) throw new ModelFailure('down', 'The language model broke off')
      if (finish === 'content_filter')
        throw new ModelFailure('refused', 'The language model declined to answer')
      say(true)
      const text = spoken(raw, true) ?? ''
      const form = asJson ? callInJson(text) : null
      const whole = form === null ? text : ''
      if (asJson && form === null && said === 0 && text !== '') onText(text)
      const made = form === null ? calls.filter(({ name }) => name !== '') : [form]
      if (whole.trim() === '' && made.length === 0) throw new ModelFailure('rubbish', 'The answer was empty')
      return { text: whole, calls: made, usage: this.usage(asked) }
    },
    /** As the server counts; until it says so, estimated. */
    usage(asked: number): ModelUsage {
      const called = calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0)
      return {
        inputTokens: countedTokens(usage?.prompt_tokens, asked),
        outputTokens: countedTokens(usage?.completion_tokens, raw.length + called),
      }
    },
  }
}

/** As the server counts, which may be anything, made fit to be summed; without a count it is estimated. */
export function countedTokens(counted: unknown, characters: number): number {
  const isCount = typeof counted === 'number' && counted >= 0
  return isCount ? Math.min(TOKENS_MAX, Math.ceil(counted)) : tokensIn(characters)
}

function tokensIn(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

function addCall(calls: ModelCall[], given: NonNullable<Delta['tool_calls']>[number], place: number): void {
  const index = given.index ?? place
  if (!Number.isInteger(index) || index < 0 || index >= CALLS_MAX)
    throw new ModelFailure('rubbish', 'The answer called too many tools')
  const call = (calls[index] ??= { id: '', name: '', arguments: '' })
  call.id ||= given.id ?? `call-${index}`
  call.name += given.function?.name ?? ''
  call.arguments += given.function?.arguments ?? ''
  if (call.arguments.length > ARGUMENTS_MAX) throw new ModelFailure('rubbish', 'The answer was far too long')
}

/** The text without the reasoning in front of it; null while that is all there is. */
function spoken(raw: string, isEnd: boolean): string | null {
  const text = raw.trimStart()
  if (!isEnd && THINKING.startsWith(text.slice(0, THINKING.length)) && text.length < THINKING.length)
    return null
  if (!text.startsWith(THINKING)) return text
  const end = text.indexOf(THOUGHT)
  return end < 0 ? (isEnd ? '' : null) : text.slice(end + THOUGHT.length).trimStart()
}

function protocolTurn(turn: ModelTurn): Record<string, unknown> {
  if (turn.role === 'tool') return { role: 'tool', tool_call_id: turn.callId, content: turn.content }
  if (turn.role !== 'assistant' || turn.calls === undefined || turn.calls.length === 0)
    return { role: turn.role, content: turn.content }
  return {
    role: 'assistant',
    content: turn.content === '' ? null : turn.content,
    tool_calls: turn.calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    })),
  }
}

/** The same for a model that calls tools by a JSON object: a short form that small models keep to. */
function jsonTurns({ turns, tools }: ConversationRequest): { role: string; content: string }[] {
  const shapes = tools.map(
    ({ name, description, parameters }) => `${name}: ${description}. Input: ${JSON.stringify(parameters)}`,
  )
  const form = `To use a tool, answer with one JSON object and nothing else: {"tool": "name", "input": {…}}. One tool at a time.
Otherwise answer in plain text. The tools:\n${shapes.join('\n')}`
  return turns.map((turn) => {
    if (turn.role === 'system') return { role: 'system', content: `${turn.content}\n\n${form}` }
    if (turn.role === 'tool') return { role: 'user', content: `Result of ${turn.name}:\n${turn.content}` }
    if (turn.role === 'user') return turn
    const said = (turn.calls ?? []).map(
      (call) => `{"tool": ${JSON.stringify(call.name)}, "input": ${call.arguments}}`,
    )
    return { role: 'assistant', content: [turn.content, ...said].filter(Boolean).join('\n') }
  })
}

/** A call in the JSON form, also within a fence or chatter; null where the answer is no call. */
function callInJson(text: string): ModelCall | null {
  if (!/^\s*[{`]/.test(text)) return null
  try {
    const value = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as {
      tool?: unknown
      input?: unknown
    }
    if (typeof value.tool !== 'string') return null
    return { id: 'call-0', name: value.tool, arguments: JSON.stringify(value.input ?? {}) }
  } catch {
    return null
  }
}
