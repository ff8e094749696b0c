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
}

/**
 * What the model does: a string is its answer; `status` is an HTTP error; `raw` is a body that is not an answer; `does`
 * drops the connection, hangs for ever or floods without end; `text` after `afterMs` is a slow answer.
 */
export type ModelAnswer =
  | string
  | {
      text: string
      afterMs?: number
      finishReason?: 'stop' | 'length' | 'content_filter'
      usage?: [number, number]
    }
  | { status: number; message?: string }
  | { raw: string }
  | { does: 'drop' | 'hang' | 'flood' }

export type ModelServer = {
  /** Up to and with "/v1", as in AI_BASE_URL. */
  baseUrl: string
  questions: ModelQuestion[]
  /** The largest number of questions that were open at the same time. */
  readonly mostAtOnce: number
  /** How the next questions are answered. */
  answer(with_: ModelAnswer | ((question: ModelQuestion) => ModelAnswer)): void
  stop(): Promise<void>
}

/** An OpenAI-compatible `/v1/chat/completions` (JSON, or SSE where `stream` is asked) on a free loopback port. */
export async function startModel(
  first: ModelAnswer | ((question: ModelQuestion) => ModelAnswer) = 'Hello from the model.',
): Promise<ModelServer> {
  const questions: ModelQuestion[] = []
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
      questions.push(question)
      await reply(response, question, typeof script === 'function' ? script(question) : script)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    questions,
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
  return { model: String(body['model']), system: said('system'), prompt: said('user'), body, number }
}

async function reply(response: ServerResponse, question: ModelQuestion, answer: ModelAnswer): Promise<void> {
  if (typeof answer === 'object' && 'does' in answer) {
    if (answer.does === 'drop') response.destroy()
    if (answer.does === 'flood') flood(response)
    return
  }
  if (typeof answer === 'object' && 'status' in answer) {
    const error = {
      error: { message: answer.message ?? 'scripted error', type: 'error', code: null, param: null },
    }
    return send(response, answer.status, JSON.stringify(error))
  }
  if (typeof answer === 'object' && 'raw' in answer) return send(response, 200, answer.raw)
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

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
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
