import {
  assistant,
  chatEvent,
  type ChatEvent,
  chatReply,
  type ChatReply,
} from '#contract/assistant/assistant.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import {
  ApiError,
  answerError,
  isRefusal,
  networkError,
  readJson,
  unreadableError,
} from '#web/platform/api/errors.ts'
import { makeEventReader } from '#web/platform/api/event-lines.ts'
import { addressOf, headersOf } from '#web/platform/api/request.ts'

type Question = NonNullable<BodyInput<typeof assistant.chat>>

/**
 * Asks Wolfy and passes on each event of the answer. Resolves with the whole reply, or with null if the connection was
 * lost while the answer was being written: the server goes on writing it down.
 *
 * A 401 does not put the session in question: the conversation itself says so.
 *
 * @throws ApiError if the question was refused or never arrived; the signal's own reason when aborted
 */
export async function ask(
  question: Question,
  { onEvent, signal }: { onEvent: (event: ChatEvent) => void; signal: AbortSignal },
): Promise<ChatReply | null> {
  const response = await fetch(addressOf(assistant.chat, {}, undefined), {
    method: assistant.chat.method,
    headers: headersOf(assistant.chat, { body: question, headers: { Accept: 'text/event-stream' } }),
    body: JSON.stringify(question),
    cache: 'no-store',
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted ? error : networkError()
  })
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true
  if (!response.ok || !isStream || response.body === null) return wholeReply(response)
  let reply: ChatReply | null = null
  const take = makeEventReader((data) => {
    const event = chatEvent.safeParse(readJson(data))
    if (!event.success) return
    if (event.data.event === 'done' || event.data.event === 'failed') reply = event.data.reply
    onEvent(event.data)
  })
  try {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return reply
      take(value)
    }
  } catch (error) {
    if (signal.aborted) throw error
    return reply
  }
}

/** A proxy may answer without a stream. */
async function wholeReply(response: Response): Promise<ChatReply> {
  const text = await response.text().catch(() => '')
  if (!response.ok) throw answerError(response.status, text)
  const reply = chatReply.safeParse(readJson(text))
  if (!reply.success) throw unreadableError(response.status)
  return reply.data
}

export const PLEASE_LOG_IN = 'Please log in to use Wolfy'
export const FAILED = 'Sorry, I encountered an error. Please try again.'
export const TAKES_LONG =
  'Wolfy is taking longer than expected. I will keep trying, or you can retry in a moment.'
/** Without a word for this long, the page says that it takes long. */
export const LATE_MS = 90_000

/** Why there is no answer, in words. `rules`: Wolfy may still answer by rules, which costs nothing. */
export type Fault = { kind: 'log-in' | 'rules' | 'other'; sentence: string }

/** What a failed call means in the conversation. */
export function faultOf(error: unknown): Fault {
  if (!isRefusal(error)) return { kind: 'other', sentence: FAILED }
  if (error.status === 401) return { kind: 'log-in', sentence: PLEASE_LOG_IN }
  const sentence = error.isUnsaid || error.detail === '' ? FAILED : error.detail
  return { kind: error.status === 429 ? 'rules' : 'other', sentence }
}

/** True if the question may have arrived although its call failed. */
export const mayHaveArrived = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === null || error.status >= 500
