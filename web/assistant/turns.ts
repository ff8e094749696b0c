import type { QueryClient } from '@tanstack/react-query'
import {
  assistant,
  type ChatEvent,
  type ChatMessage,
  type ChatReply,
  type ChatSessionDetail,
} from '#contract/assistant/assistant.ts'
import { call } from '#web/platform/api/call.ts'
import { ApiError } from '#web/platform/api/errors.ts'
import { queryKeyOf, refresh } from '#web/platform/api/queries.ts'
import { ask, FAILED, faultOf, LATE_MS, mayHaveArrived } from './ask.ts'
import {
  adoptPlace,
  dropFailed,
  keepFailed,
  type Place,
  readChat,
  setTurn,
  type Subject,
  type Turn,
} from './chat-store.ts'
import { readingWords } from './reading-words.ts'

/** A lost answer is looked for this often, and until the server has certainly given up. */
const LOOK_EVERY_MS = 1000
const GIVE_UP_MS = 200_000
/** After Stop, the stream has this long to end by itself. */
const STOP_MS = 3000

export type Asked = {
  message: string
  /** Whom a new conversation is about. */
  subject?: Subject | null
  /** The last question, which this one takes the place of. */
  replacedId?: number | null
  /** The failed question that is asked again. */
  retried?: Turn
  /** No language model is asked. */
  byRules?: boolean
}

type Run = {
  place: Place
  stop: AbortController
  late: ReturnType<typeof setTimeout> | undefined
  /** It is asked again: nobody waits for this answer. */
  isAbandoned: boolean
  subject: Subject | null
  /** Words that wait for the next frame. */
  words: string
  /** Until it is drawn, words wait: they came just after others. */
  frame: number | null
}
const runs = new Set<Run>()

const detailKey = (id: number) => queryKeyOf(assistant.getSession, 'reply', { params: { id } })

/** Changes what this tab knows of a conversation. An answer that is under way is older, and no longer wanted. */
export function setDetail(
  client: QueryClient,
  id: number,
  change: (known: ChatSessionDetail | undefined) => ChatSessionDetail | undefined,
): void {
  void client.cancelQueries({ queryKey: detailKey(id) })
  client.setQueryData<ChatSessionDetail>(detailKey(id), change)
}

/** Asks a question in a conversation, or begins one with it. Does nothing while another is being answered there. */
export async function askIn(client: QueryClient, place: Place, asked: Asked): Promise<void> {
  if (isAnswering(place)) return
  const known = place === 'new' ? undefined : client.getQueryData<ChatSessionDetail>(detailKey(place))
  const kept = (known?.messages ?? []).filter(({ id }) => asked.replacedId == null || id < asked.replacedId)
  const turn: Turn = {
    question: asked.message,
    questionId: null,
    answerId: null,
    after: kept.at(-1)?.id ?? 0,
    text: '',
    reading: null,
    state: 'asking',
    isLate: false,
    fault: null,
  }
  const run: Run = {
    place,
    stop: new AbortController(),
    late: undefined,
    isAbandoned: false,
    subject: asked.subject ?? null,
    words: '',
    frame: null,
  }
  runs.add(run)
  const before = readChat().turns.get(place)
  if (before !== undefined && before.questionId === null && before !== asked.retried)
    keepFailed(place, before)
  if (asked.retried !== undefined) dropFailed(place, asked.retried)
  setTurn(place, turn)
  awaitWord(run)
  try {
    const reply = await ask(bodyOf(place, asked), {
      onEvent: (event) => hear(client, run, event),
      signal: run.stop.signal,
    })
    if (reply !== null) settle(client, run, reply)
    else await look(client, run)
  } catch (error) {
    if (run.isAbandoned) return
    if (run.stop.signal.aborted) await look(client, run)
    else await fail(client, run, error)
  } finally {
    clearTimeout(run.late)
    runs.delete(run)
  }
}

export function isAnswering(place: Place): boolean {
  const state = readChat().turns.get(place)?.state
  return state !== undefined && state !== 'failed'
}

/** Stops the answer that is being written in a conversation, by whichever tab; what is there stays. */
export async function stopIn(client: QueryClient, place: Place): Promise<void> {
  const run = [...runs].find((each) => each.place === place)
  if (place === 'new') {
    run?.stop.abort()
    return
  }
  await call(assistant.stop, { params: { id: place } }).catch(() => undefined)
  if (run === undefined) return void refresh(client, assistant.getSession)
  const timer = setTimeout(() => run.stop.abort(), STOP_MS)
  run.stop.signal.addEventListener('abort', () => clearTimeout(timer))
}

/** Asks the question again that is still being answered: its answer is stopped first. */
export async function askAnew(client: QueryClient, place: Place): Promise<void> {
  const run = [...runs].find((each) => each.place === place)
  if (run === undefined) return
  run.isAbandoned = true
  await isStored(client, run)
  const turn = turnOf(run)
  if (typeof run.place === 'number')
    await call(assistant.stop, { params: { id: run.place } }).catch(() => undefined)
  run.stop.abort()
  runs.delete(run)
  if (turn === undefined) return
  setTurn(run.place, null)
  await askIn(client, run.place, { message: turn.question, replacedId: turn.questionId })
}

function bodyOf(place: Place, { message, subject, replacedId, byRules }: Asked) {
  return {
    message,
    ...(place === 'new' ? {} : { session_id: place }),
    ...(place === 'new' && subject != null
      ? { contact_name: subject.name, contact_email: subject.email }
      : {}),
    ...(replacedId == null ? {} : { replaced_id: replacedId }),
    ...(byRules === true ? { by: 'rules' as const } : {}),
  }
}

const turnOf = (run: Run) => readChat().turns.get(run.place)

function change(run: Run, changes: Partial<Turn>): void {
  const turn = turnOf(run)
  // Whoever has logged out meanwhile has no turn any more.
  if (turn === undefined) run.stop.abort()
  else setTurn(run.place, { ...turn, ...changes })
}

/** Counts from the last word. */
function awaitWord(run: Run): void {
  clearTimeout(run.late)
  run.late = setTimeout(() => change(run, { isLate: true }), LATE_MS)
}

function hear(client: QueryClient, run: Run, event: ChatEvent): void {
  if (run.isAbandoned) return
  const turn = turnOf(run)
  if (turn === undefined) return run.stop.abort()
  if (event.event === 'text') return hearWords(run, event.text)
  if (event.event === 'begun') {
    const begun = { ...turn, questionId: event.question.id, answerId: event.message_id }
    if (run.place === 'new') {
      run.place = event.session_id
      adoptPlace(event.session_id, begun)
    } else {
      setTurn(run.place, begun)
    }
    void refresh(client, assistant.sessions)
  } else if (event.event === 'reading') {
    change(run, { reading: readingWords(event.tool) })
  }
}

/** Shows words at once; those that come before the next frame is drawn are shown with it, in one go. */
function hearWords(run: Run, words: string): void {
  awaitWord(run)
  run.words += words
  if (run.frame === null) showWords(run)
}

function showWords(run: Run): void {
  const words = takeWords(run)
  if (words === '') return
  const text = turnOf(run)?.text ?? ''
  change(run, { text: text + words, reading: null, state: 'writing', isLate: false })
  run.frame = requestAnimationFrame(() => {
    run.frame = null
    showWords(run)
  })
}

/** The words that are not shown yet; they are no longer waiting. */
function takeWords(run: Run): string {
  if (run.frame !== null) cancelAnimationFrame(run.frame)
  run.frame = null
  const { words } = run
  run.words = ''
  return words
}

/** The answer is complete, or as far as it came: from here on the server's record is shown. */
function settle(client: QueryClient, run: Run, reply: ChatReply): void {
  takeWords(run)
  if (run.isAbandoned) return
  const turn = turnOf(run)
  if (turn === undefined) return
  if (run.place === 'new') {
    run.place = reply.session_id
    adoptPlace(reply.session_id, turn)
  }
  setDetail(client, reply.session_id, (known) => withReply(known, reply, turn, run.subject))
  setTurn(run.place, null)
  void refresh(client, assistant.sessions)
}

function withReply(
  known: ChatSessionDetail | undefined,
  reply: ChatReply,
  turn: Turn,
  subject: Subject | null,
): ChatSessionDetail {
  const { question, message, result } = reply
  const made = new Set(result.proposals.map(({ id }) => id))
  const before = (known?.messages ?? []).filter(({ id }) => id <= turn.after)
  return {
    id: reply.session_id,
    contact_name: subject?.name ?? '',
    contact_email: subject?.email ?? '',
    contact_id: subject?.contactId ?? null,
    is_active: true,
    created_at: question.created_at,
    updated_at: message.created_at,
    ...known,
    title: reply.session_title,
    messages: [...before, question, message],
    proposals: [...(known?.proposals ?? []).filter(({ id }) => !made.has(id)), ...result.proposals],
  }
}

/** The question was refused, or it is not known whether it arrived. */
async function fail(client: QueryClient, run: Run, error: unknown): Promise<void> {
  if (mayHaveArrived(error) && (await isStored(client, run))) return look(client, run)
  change(run, { state: 'failed', fault: faultOf(error), isLate: false })
}

/** True if the server has the question of this turn; the turn knows its number from then on. */
async function isStored(client: QueryClient, run: Run): Promise<boolean> {
  const turn = turnOf(run)
  if (turn === undefined || turn.questionId !== null) return turn !== undefined
  const id = run.place === 'new' ? await newestSession(turn) : run.place
  const detail = id === null ? null : await detailOf(id)
  const question = detail?.messages.find((each) => each.id > turn.after && isQuestion(each, turn))
  if (detail === null || question === undefined) return false
  const answer = detail.messages.find((each) => each.id > question.id)
  const begun = { ...turn, questionId: question.id, answerId: answer?.id ?? null }
  if (run.place === 'new') {
    run.place = detail.id
    adoptPlace(detail.id, begun)
    void refresh(client, assistant.sessions)
  } else {
    setTurn(run.place, begun)
  }
  return true
}

const isQuestion = ({ role, content }: ChatMessage, turn: Turn) =>
  role === 'user' && content === turn.question.trim()

const detailOf = (id: number) => call(assistant.getSession, { params: { id } }).catch(() => null)

/** The conversation that the question has begun although nobody heard of it. */
async function newestSession(turn: Turn): Promise<number | null> {
  const [newest] = await call(assistant.sessions, { query: { limit: 1 } }).catch(() => [])
  if (newest === undefined) return null
  const detail = await detailOf(newest.id)
  const [first] = detail?.messages ?? []
  return first !== undefined && isQuestion(first, turn) && detail?.messages.length === 2 ? newest.id : null
}

/** Follows an answer that the server goes on writing, or has written, without this tab's connection. */
async function look(client: QueryClient, run: Run): Promise<void> {
  showWords(run)
  const until = Date.now() + GIVE_UP_MS
  change(run, { state: 'waiting' })
  if (run.stop.signal.aborted && (await isStored(client, run)))
    await call(assistant.stop, { params: { id: Number(run.place) } }).catch(() => undefined)
  while (turnOf(run) !== undefined && !run.isAbandoned && Date.now() < until) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    if ((await isStored(client, run)) && run.place !== 'new') {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await lookOnce(client, run)
      if (found) return
    } else if (run.stop.signal.aborted) {
      return change(run, { state: 'failed', fault: { kind: 'other', sentence: STOPPED } })
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS)
    })
  }
  if (!run.isAbandoned)
    change(run, { state: 'failed', fault: { kind: 'other', sentence: FAILED }, isLate: false })
}

const STOPPED = 'Stopped before Wolfy had begun.'

/** True once nothing more is to be waited for. */
async function lookOnce(client: QueryClient, run: Run): Promise<boolean> {
  const id = Number(run.place)
  try {
    const detail = await call(assistant.getSession, { params: { id } })
    const turn = turnOf(run)
    if (turn === undefined || run.isAbandoned) return true
    const answer = detail.messages.findLast(({ role }) => role === 'assistant')
    if (answer?.status === 'writing' && answer.id > turn.after) {
      if (answer.content !== turn.text) awaitWord(run)
      change(run, { text: answer.content, answerId: answer.id, isLate: turn.isLate && answer.content === '' })
      return false
    }
    setDetail(client, id, () => detail)
    setTurn(run.place, null)
    return true
  } catch (error) {
    if (!(error instanceof ApiError) || mayHaveArrived(error)) return false
    change(run, { state: 'failed', fault: faultOf(error) })
    return true
  }
}
