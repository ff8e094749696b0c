import {
  CHAT_MESSAGES_MAX,
  type ChatEvent,
  type ChatMessage,
  type ChatReply,
} from '#contract/assistant/assistant.ts'
import type { assistant } from '#contract/assistant/assistant.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../platform/context.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { conflict, notFound, Refusal } from '../platform/errors.ts'
import { type LanguageModel, ModelFailure } from '../platform/gateways/language-model.ts'
import { failureSentence, modelFor } from '../models/language-models/language-models.ts'
import { DEADLINE_MS } from './deadline.ts'
import { answerByModel } from './model/answer-by-model.ts'
import { isBeingWritten, presentMessage, presentProposal } from './present.ts'
import { type Prepared, storeProposal } from './propose.ts'
import { type AiRequest, endAiRequest, takeAiRequest } from '../models/ai-requests/ai-requests.ts'
import { textOf } from './rules/answer.ts'
import { answerByRules } from './rules/answer-by-rules.ts'
import { isUnnamed, noSession, openSession } from './save-session.ts'
import {
  changeAnswer,
  changeSession,
  countMessages,
  deleteMessagesFrom,
  findMessage,
  insertMessage,
  keepStopped,
  lockSession,
  type MessageRow,
  messagesOf,
  type SessionRow,
} from './sessions-store.ts'
import type { Asking } from './tools/tool.ts'
import { changing } from '../platform/changing.ts'

type Caller = Asking['user']
type Input = BodyOf<typeof assistant.chat>
export type Tell = (event: ChatEvent) => void

/** Characters of a first question that become the title. */
const TITLE_CHARS = 60
const HISTORY_READ = 20
/** How often an answer is written down while it comes. */
const KEEP_EVERY_MS = 300
const TOO_SLOW = 'Wolfy is taking longer than expected. I will keep trying, or you can retry in a moment.'
const PROPOSED_ONLY = 'Here is what I would do. Nothing happens before you approve it.'
const BROKEN_OFF = 'Sorry, I encountered an error. Please try again.'
const NO_METADATA: ChatMessage['message_metadata'] = {
  by: null,
  model: null,
  sources: [],
  proposal_ids: [],
  suggestions: [],
}

/** A question that is stored, with the place of its answer. */
type Begun = {
  session: SessionRow
  isNew: boolean
  /** What was said before, oldest first. */
  history: MessageRow[]
  question: MessageRow
  answer: MessageRow
}

/**
 * Stores a question, answers it and stores the answer with its proposals. `tell` hears of each step as it happens; whether
 * anybody listens makes no difference.
 *
 * @throws Refusal 404 for a missing session or question; 409 while another question of the session is being answered; 429
 *   over the plan's limit; 503 when the language model failed, which costs nothing
 */
export async function answerQuestion(
  context: Context,
  user: Caller,
  input: Input,
  tell: Tell,
): Promise<ChatReply> {
  const asking = { context, user }
  const model = await modelFor(context, user.id)
  const isByRules = input.by === 'rules' || !model.available
  // Before the question is stored: one too many leaves nothing behind.
  const request = isByRules ? null : await takeAiRequest(context, user.id, 'chat', model)
  const begun = await begin(asking, input).catch(async (error: unknown) => {
    if (request !== null) await endAiRequest(context, request, false, { inputTokens: 0, outputTokens: 0 })
    throw error
  })
  tell({
    event: 'begun',
    session_id: begun.session.id,
    session_title: begun.session.title,
    is_new_session: begun.isNew,
    question: presentMessage(begun.question, context.clock.now()),
    message_id: begun.answer.id,
  })
  try {
    const reply =
      request === null
        ? await writeByRules(asking, begun, tell)
        : await writeByModel(asking, begun, { request, model }, tell)
    tell({ event: 'done', reply })
    return reply
  } catch (error) {
    const detail = detailOf(error, model.isOwn)
    const reply = await breakOff(asking, begun)
    tell({ event: 'failed', detail, reply })
    if (!(error instanceof ModelFailure)) throw error
    context.log.warn({ err: error }, 'the language model did not answer a question')
    throw new Refusal(503, detail, 'UNAVAILABLE')
  }
}

/** Whose own model failed reads why: nobody else can mend it. */
function detailOf(error: unknown, isOwn: boolean): string {
  if (!(error instanceof ModelFailure)) return BROKEN_OFF
  if (error.kind === 'slow') return TOO_SLOW
  return isOwn ? `${BROKEN_OFF} Your own AI model did not answer. ${failureSentence(error)}` : BROKEN_OFF
}

async function writeByRules(asking: Asking, begun: Begun, tell: Tell): Promise<ChatReply> {
  const { contact_name: name, contact_email: email } = begun.session
  const earlier = begun.history.filter(({ role }) => role === 'user').map(({ content }) => content)
  const answer = await answerByRules(asking, begun.question.content, { name, email }, earlier)
  const { intent, sources, suggestions } = answer
  const reply = await finish(asking, begun, answer.prepared, {
    content: textOf(answer),
    intent,
    metadata: { ...NO_METADATA, by: 'rules', sources, suggestions },
  })
  tell({ event: 'text', text: reply.text })
  return reply
}

/** Writes the answer down as it comes. It ends when the user stops it, wherever the call for that arrives. */
async function writeByModel(
  asking: Asking,
  begun: Begun,
  { request, model }: { request: AiRequest; model: LanguageModel },
  tell: Tell,
): Promise<ChatReply> {
  const { context, user } = asking
  const { contact_name: name, contact_email: email } = begun.session
  const usage = { inputTokens: 0, outputTokens: 0 }
  const metadata: ChatMessage['message_metadata'] = { ...NO_METADATA, by: 'model', model: model.name }
  const sources: ChatMessage['message_metadata']['sources'] = []
  const stopped = new AbortController()
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  const draft = keepDraft(
    asking,
    begun.answer.id,
    () => ({ ...metadata, sources }),
    () => stopped.abort(new Stopped()),
  )
  let wasAnswered = false
  try {
    const answer = await answerByModel(
      asking,
      {
        model,
        question: begun.question.content,
        history: begun.history,
        subject: { name, email },
        sources,
      },
      {
        text: (text) => {
          draft.add(text)
          tell({ event: 'text', text })
        },
        reading: (tool, summary) => tell({ event: 'reading', tool, summary }),
      },
      AbortSignal.any([deadline, stopped.signal, context.stopping]),
      usage,
    )
    await draft.end()
    if (answer.text === '' && answer.prepared.length === 0)
      throw new ModelFailure('rubbish', 'The language model said nothing')
    const used = citedIn(answer.text, answer.sources)
    const content = answer.text === '' ? PROPOSED_ONLY : answer.text
    const reply = await finish(asking, begun, answer.prepared, {
      content,
      intent: 'model',
      metadata: { ...metadata, sources: used },
    })
    wasAnswered = true
    return reply
  } catch (error) {
    await draft.end()
    if (error instanceof Stopped) {
      // What was written before is the answer, and it has been used.
      const text = draft.text()
      wasAnswered = text !== ''
      const stoppedAnswer = await keepStopped(context.db, user.id, begun.answer.id, {
        content: text,
        metadata: { ...metadata, sources: citedIn(text, sources) },
      })
      if (stoppedAnswer !== undefined) await context.live.publish(context.db, user.id, { topic: 'assistant' })
      const row = stoppedAnswer ?? (await findMessage(context.db, user.id, begun.answer.id))
      return replyOf(asking, begun, row ?? { ...begun.answer, status: 'stopped' }, [])
    }
    throw deadline.aborted ? new ModelFailure('slow', 'The language model took too long', error) : error
  } finally {
    await endAiRequest(context, request, wasAnswered, usage)
  }
}

/** The user has stopped the answer, or deleted its session. */
class Stopped extends Error {}

/** Stores what was written so far a few times a second, and notices when nobody wants the rest. */
function keepDraft(
  { context, user }: Asking,
  answerId: number,
  metadata: () => ChatMessage['message_metadata'],
  onStopped: () => void,
) {
  let text = ''
  let kept = ''
  let last: Promise<void> = Promise.resolve()
  const keep = async () => {
    kept = text
    const row = await changeAnswer(context.db, user.id, answerId, {
      content: text,
      metadata: metadata(),
      written_at: context.clock.now(),
    })
    if (row === undefined) onStopped()
    else await context.live.publish(context.db, user.id, { topic: 'assistant' })
  }
  const keepNext = () => {
    last = last.then(keep).catch((error: unknown) => {
      context.log.warn({ err: error }, 'a part of an answer was not kept')
    })
  }
  const timer = setInterval(keepNext, KEEP_EVERY_MS)
  return {
    add: (piece: string) => void (text += piece),
    text: () => text,
    end: async () => {
      clearInterval(timer)
      await last
      if (text !== kept) keepNext()
      await last
    },
  }
}

/** The sources that a text names; the others were only looked at. */
function citedIn(text: string, sources: ChatMessage['message_metadata']['sources']) {
  const cited = new Set([...text.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n)))
  return sources.filter(({ n }) => cited.has(n))
}

/** Stores the question and an answer without words. */
async function begin({ context, user }: Asking, input: Input): Promise<Begun> {
  return changing(context, user.id, 'assistant', async (tx) => {
    const { session_id: sessionId, replaced_id: replacedId } = input
    const now = context.clock.now()
    const isNew = sessionId == null
    const session = isNew
      ? await openSession(context, tx, user.id, {
          title: titleOf(input.message),
          contactName: input.contact_name ?? null,
          contactEmail: input.contact_email ?? null,
        })
      : await lockSession(tx, user.id, sessionId)
    if (session === undefined) throw noSession()
    if (replacedId != null) {
      const replaced = await findMessage(tx, user.id, replacedId)
      if (replaced === undefined || replaced.session_id !== session.id || replaced.role !== 'user')
        throw notFound('This question does not exist.')
      const said = await messagesOf(tx, user.id, session.id, 2)
      // What another tab has asked meanwhile is not thrown away.
      if (said.findLast(({ role }) => role === 'user')?.id !== replacedId)
        throw conflict('Only the last question of a conversation can be asked again.')
      await deleteMessagesFrom(tx, user.id, session.id, replacedId)
    }
    const history = await messagesOf(tx, user.id, session.id, HISTORY_READ)
    const last = history.at(-1)
    if (last !== undefined && isBeingWritten(last, now))
      throw conflict('Wolfy is still answering your last question. Please wait, or stop him.')
    if ((await countMessages(tx, user.id, session.id)) + 2 > CHAT_MESSAGES_MAX)
      throw conflict('This conversation is full. Please begin a new one.')
    const message = {
      user_id: user.id,
      session_id: session.id,
      intent: null,
      metadata: NO_METADATA,
      created_at: now,
      written_at: now,
    }
    const question = await insertMessage(tx, {
      ...message,
      role: 'user',
      content: input.message,
      status: 'done',
    })
    const answer = await insertMessage(tx, { ...message, role: 'assistant', content: '', status: 'writing' })
    const named = last === undefined && isUnnamed(session) ? { title: titleOf(input.message) } : {}
    const used = await changeSession(tx, user.id, session.id, { used_at: now, ...named })
    return { session: used ?? session, isNew, history, question, answer }
  })
}

/** The beginning of a question, cut at a word. */
function titleOf(question: string): string {
  const line = question.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  if (line.length <= TITLE_CHARS) return line
  const cut = line.slice(0, TITLE_CHARS)
  const at = cut.lastIndexOf(' ')
  return `${cut.slice(0, at > TITLE_CHARS / 2 ? at : TITLE_CHARS).trimEnd()}…`
}

/** Stores an answer with its proposals, in one transaction. One that was stopped meanwhile keeps what it has. */
async function finish(
  asking: Asking,
  begun: Begun,
  all: readonly Prepared[],
  answer: Pick<MessageRow, 'content' | 'intent' | 'metadata'>,
): Promise<ChatReply> {
  const { context, user } = asking
  return inTransaction(context.db, async (tx) => {
    const now = context.clock.now()
    const place = { sessionId: begun.session.id, messageId: begun.answer.id }
    // Whoever stops or deletes comes before or after, never in between.
    await lockSession(tx, user.id, begun.session.id)
    const current = await findMessage(tx, user.id, begun.answer.id)
    if (current?.status !== 'writing')
      return replyOf(asking, begun, current ?? { ...begun.answer, status: 'stopped' }, [])
    const proposals = []
    for (const prepared of all) proposals.push(await storeProposal(tx, asking, place, prepared))
    const row = await changeAnswer(tx, user.id, begun.answer.id, {
      content: answer.content,
      intent: answer.intent,
      status: 'done',
      written_at: now,
      metadata: { ...answer.metadata, proposal_ids: proposals.map(({ id }) => id) },
    })
    await context.live.publish(tx, user.id, { topic: 'assistant' })
    return replyOf(asking, begun, row ?? current, proposals)
  })
}

async function breakOff(asking: Asking, begun: Begun): Promise<ChatReply> {
  const { context, user } = asking
  const row = await changeAnswer(context.db, user.id, begun.answer.id, {
    status: 'failed',
    written_at: context.clock.now(),
  })
  await context.live.publish(context.db, user.id, { topic: 'assistant' })
  return replyOf(asking, begun, row ?? { ...begun.answer, status: 'failed' }, [])
}

function replyOf(
  { context }: Asking,
  { session, isNew, question }: Begun,
  row: MessageRow,
  proposals: Parameters<typeof presentProposal>[0][],
): ChatReply {
  const now = context.clock.now()
  const message = presentMessage(row, now)
  const { by, sources, suggestions } = message.message_metadata
  return {
    message,
    question: presentMessage(question, now),
    session_id: session.id,
    session_title: session.title,
    is_new_session: isNew,
    text: message.content,
    intent: message.intent,
    status: message.status,
    result: {
      by: by ?? 'rules',
      sources,
      proposals: proposals.map((proposal) => presentProposal(proposal, now)),
      suggestions,
    },
  }
}

/** Stops the answer that is being written, in whichever process. What is there stays. @throws Refusal 404 */
export async function stopAnswer(context: Context, userId: number, sessionId: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const session = await lockSession(tx, userId, sessionId)
    if (session === undefined) throw noSession()
    const [last] = await messagesOf(tx, userId, sessionId, 1)
    if (last?.status !== 'writing') return
    await changeAnswer(tx, userId, last.id, { status: 'stopped', written_at: context.clock.now() })
    await context.live.publish(tx, userId, { topic: 'assistant' })
  })
}
