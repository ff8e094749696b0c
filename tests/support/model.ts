import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A question of the client; `system` and `prompt` are the messages of those roles, joined. */
export type ModelQuestion = {
  model: string
  system: string
  prompt: string
  body: Record<string, unknown>
  number: number
  /** The Authorization header; null without one. */
  authorization: string | null
}

/**
 * What the model does: a string is its answer; `status` is an HTTP error; `raw` is a body that is not an answer; `does`
 * drops the connection, hangs for ever or floods without end; `text` after `afterMs` is a slow answer. `calls` are tools
 * that it calls; `pieces` come one by one, whenever the test gives them, until the answer is whole, is cut, or hangs.
 */
export type ModelAnswer =
  | string
  | {
      text: string
      afterMs?: number
      finishReason?: 'stop' | 'length' | 'content_filter'
      usage?: [number, number]
    }
  | { status: number; message?: string; code?: string; headers?: Record<string, string> }
  | { raw: string }
  | { does: 'drop' | 'hang' | 'flood' }
  | { calls: { name: string; input: unknown }[]; text?: string }
  | Spoken

type Spoken = { pieces: Iterable<string> | AsyncIterable<string>; ends: 'whole' | 'cut' | 'hang' | 'flood' }

export type ModelServer = {
  /** Up to and with "/v1", as in AI_BASE_URL. */
  baseUrl: string
  questions: ModelQuestion[]
  /** What `/v1/models` lists. */
  models: string[]
  /** The largest number of questions that were open at the same time. */
  readonly mostAtOnce: number
  /** How the next questions are answered; one waits for its answer where a test has something else happen first. */
  answer(with_: ModelAnswer | ((question: ModelQuestion) => ModelAnswer | Promise<ModelAnswer>)): void
  stop(): Promise<void>
}

/** An OpenAI-compatible `/v1/chat/completions` (JSON, or SSE where `stream` is asked) on a free loopback port. */
export async function startModel(
  first: Parameters<ModelServer['answer']>[0] = 'Hello from the model.',
): Promise<ModelServer> {
  const questions: ModelQuestion[] = []
  const models = ['tiny']
  let script = first
  let open = 0
  let mostAtOnce = 0

  const server = createServer((request, response) => {
    open += 1
    mostAtOnce = Math.max(mostAtOnce, open)
    response.once('close', () => {
      open -= 1
    })
    void (async () => {
      const question = await readQuestion(request, questions.length + 1)
      if (request.method === 'GET') {
        const list = typeof script === 'object' && 'status' in script ? null : models.map((id) => ({ id }))
        if (list !== null) return send(response, 200, JSON.stringify({ object: 'list', data: list }))
      }
      questions.push(question)
      await reply(response, question, typeof script === 'function' ? await script(question) : script)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    questions,
    models,
    get mostAtOnce() {
      return mostAtOnce
    },
    answer(next) {
      script = next
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function readQuestion(request: IncomingMessage, number: number): Promise<ModelQuestion> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  const body = JSON.parse(Buffer.concat(pieces).toString() || '{}') as Record<string, unknown>
  const messages = (body['messages'] ?? []) as { role: string; content: unknown }[]
  const said = (role: string) =>
    messages
      .filter((message) => message.role === role)
      .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
      .join('\n')
  return {
    model: String(body['model']),
    system: said('system'),
    prompt: said('user'),
    body,
    number,
    authorization: request.headers.authorization ?? null,
  }
}

async function reply(response: ServerResponse, question: ModelQuestion, answer: ModelAnswer): Promise<void> {
  if (typeof answer === 'object' && 'does' in answer) {
    if (answer.does === 'drop') response.destroy()
    if (answer.does === 'flood') flood(response)
    return
  }
  if (typeof answer === 'object' && 'status' in answer) {
    const error = {
      error: {
        message: answer.message ?? 'scripted error',
        type: 'error',
        code: answer.code ?? null,
        param: null,
      },
    }
    return send(response, answer.status, JSON.stringify(error), answer.headers)
  }
  if (typeof answer === 'object' && 'raw' in answer) return send(response, 200, answer.raw)
  if (typeof answer === 'object' && 'pieces' in answer) return sendPieces(response, answer)
  if (typeof answer === 'object' && 'calls' in answer) return sendCalls(response, answer)
  const {
    text,
    afterMs = 0,
    finishReason = 'stop',
    usage,
  } = typeof answer === 'string' ? { text: answer } : answer
  if (afterMs) await new Promise((resolve) => setTimeout(resolve, afterMs))
  const [prompt, completion] = usage ?? [tokens(question.system + question.prompt), tokens(text)]
  const counted = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  const head = { id: `chat-${question.number}`, created: 1_700_000_000, model: question.model }
  if (question.body['stream'] === true) return stream(response, head, text, finishReason, counted)
  const choices = [{ index: 0, finish_reason: finishReason, message: { role: 'assistant', content: text } }]
  send(response, 200, JSON.stringify({ ...head, object: 'chat.completion', choices, usage: counted }))
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  more: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body)
}

function stream(
  response: ServerResponse,
  head: object,
  text: string,
  finishReason: string,
  usage: object,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const event = (more: object) =>
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...more })}\n\n`)
  for (const word of text.split(/(?<=\s)/))
    event({ choices: [{ index: 0, delta: { role: 'assistant', content: word } }] })
  event({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }], usage })
  response.end('data: [DONE]\n\n')
}

const event = (response: ServerResponse, delta: object, finish: string | null = null) =>
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)

/** Text that comes piece by piece, and may not end as it should. */
async function sendPieces(response: ServerResponse, { pieces, ends }: Spoken): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for await (const content of pieces) {
    if (response.destroyed) return
    event(response, { content })
  }
  if (ends === 'whole') {
    event(response, {}, 'stop')
    response.end('data: [DONE]\n\n')
  }
  // What was written is to arrive before the connection is cut.
  if (ends === 'cut') setImmediate(() => response.socket?.end())
  const more = () => {
    while (!response.destroyed && event(response, { content: 'blah '.repeat(500) }));
    if (!response.destroyed) response.once('drain', more)
  }
  if (ends === 'flood') more()
}

/** Tools that are called, each in two pieces. */
function sendCalls(
  response: ServerResponse,
  { calls, text }: { calls: { name: string; input: unknown }[]; text?: string },
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (text !== undefined) event(response, { content: text })
  for (const [index, { name, input }] of calls.entries()) {
    const written = typeof input === 'string' ? input : JSON.stringify(input)
    const half = Math.floor(written.length / 2)
    const first = { name, arguments: written.slice(0, half) }
    event(response, { tool_calls: [{ index, id: `c${index}`, type: 'function', function: first }] })
    event(response, { tool_calls: [{ index, function: { arguments: written.slice(half) } }] })
  }
  event(response, {}, 'tool_calls')
  response.end('data: [DONE]\n\n')
}

/** A JSON answer whose text never ends, as fast as the reader takes it. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"choices":[{"message":{"role":"assistant","content":"')
  const more = () => {
    while (!response.destroyed && response.write('blah '.repeat(2000)));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
