import { ArrowDown } from 'lucide-react'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ChatMessage, Proposal } from '#contract/assistant/assistant.ts'
import { WolfHead } from '#web/platform/ui/WolfMark.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { useNow } from '#web/platform/ui/use-now.ts'
import { LATE_MS } from './ask.ts'
import type { Subject, Turn } from './chat-store.ts'
import { cardsOf } from './cards.ts'
import { Composer } from './Composer.tsx'
import { AnswerComing, AnswerView, FaultLine, QuestionView } from './MessageView.tsx'
import { ProposalCard } from './ProposalCard.tsx'
import type { Asked } from './turns.ts'
import type { Chat } from './use-chat.ts'
import type { FirstQuestions } from './use-page-questions.ts'

type ConversationProps = {
  chat: Chat
  first: FirstQuestions
  isWidget?: boolean
}

/** The open conversation: what was said, and where the next message is written. */
export function Conversation({ chat, first, isWidget = false }: ConversationProps) {
  const { messages, turn, failed, place, problem } = chat
  const box = useRef<HTMLTextAreaElement>(null)
  const scroller = useScroller(String(place))
  const { isAtEnd, toEnd, ref } = scroller
  // On a touch screen the keyboard would cover the conversation.
  const focusBox = () => {
    if (matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  }
  const ask = (asked: Asked) => {
    chat.ask(asked)
    toEnd()
    focusBox()
  }
  const send = (text: string) => {
    chat.setDraft('')
    ask({ message: text })
  }
  useEffect(focusBox, [place])
  const isEmpty = messages.length === 0 && turn === null && failed.length === 0
  const column = cx('mx-auto w-full', isWidget ? 'px-4' : 'max-w-184 px-4 md:px-6')
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <section
        ref={ref}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
        tabIndex={0}
        aria-label="Messages"
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain -outline-offset-2"
      >
        {problem !== null ? (
          <ErrorState message={problem.sentence} onRetry={problem.again} className="pt-20" />
        ) : chat.isLoading ? (
          <Coming className={column} />
        ) : isEmpty ? (
          <Welcome
            className={column}
            questions={first.questions}
            onAsk={(message) => ask({ message, subject: first.about })}
            about={chat.subject}
            isWidget={isWidget}
          />
        ) : (
          // A new list for each conversation: only what is said from then on is announced.
          <div key={place} className={cx(column, 'pt-6 pb-4')}>
            <Log chat={chat} onAsk={ask} />
          </div>
        )}
      </section>
      <div
        className={cx(
          column,
          'relative pt-1 pb-3',
          isWidget ? 'pb-[max(0.75rem,env(safe-area-inset-bottom))]' : 'md:pb-4',
        )}
      >
        {isAtEnd ? null : (
          <button
            type="button"
            aria-label="Go to the newest message"
            onClick={toEnd}
            className="absolute -top-12 left-1/2 grid size-9 -translate-x-1/2 place-items-center rounded-full border border-line bg-surface text-ink-2 shadow-float hover:text-ink"
          >
            <ArrowDown aria-hidden className="size-4" />
          </button>
        )}
        <Composer
          ref={box}
          text={chat.draft}
          onText={chat.setDraft}
          onSend={send}
          isAnswering={chat.isAnswering}
          onStop={chat.stop}
        />
        <p
          className={cx(
            'mt-1.5 text-center text-xs text-ink-2 keyboard-open:hidden',
            isWidget && 'max-sm:hidden',
          )}
        >
          Wolfy proposes. Nothing is sent or changed before you approve it.
        </p>
      </div>
    </div>
  )
}

function Log({ chat, onAsk }: { chat: Chat; onAsk: (asked: Asked) => void }) {
  const { messages, proposals, turn, failed, isAnswering } = chat
  const lastQuestion = messages.findLast(({ role }) => role === 'user')
  const now = useNow(5000)
  const canAskAgain = !isAnswering && turn === null
  const askAgain = (message: string, more: Partial<Asked> = {}) =>
    onAsk({ message, replacedId: lastQuestion?.id ?? null, ...more })
  const last = messages.at(-1)
  const cards = cardsOf(messages, proposals)
  /** Failed questions stay where they were asked: after the newest message that was there then. */
  const failedAfter = (at: number) =>
    failed
      .filter(({ after }) => messages.findLastIndex(({ id }) => id <= after) === at)
      .map((each, n) => (
        // oxlint-disable-next-line react/no-array-index-key -- a question that the server does not know has no id
        <AskedNow key={`failed ${at} ${n}`} turn={each} onAsk={isAnswering ? undefined : onAsk} />
      ))
  return (
    <>
      <div role="log" aria-label="Conversation">
        <ol className="flex flex-col gap-6">
          {failedAfter(-1)}
          {messages.map((message, at) => (
            <Fragment key={message.id}>
              {/* An answer is announced once it is whole: then it is another element. */}
              <MessageItem
                key={message.status === 'writing' ? 'writing' : 'whole'}
                message={message}
                cards={cards.get(message.id)}
                now={now}
                onEdit={canAskAgain && message === lastQuestion ? (text) => askAgain(text) : undefined}
                onRetry={
                  canAskAgain && message === last && lastQuestion !== undefined
                    ? () => askAgain(lastQuestion.content)
                    : !isAnswering && message.status === 'failed'
                      ? // What was said since stays: the question is asked once more, at the end.
                        () => onAsk({ message: questionBefore(messages, at) })
                      : undefined
                }
                onRules={
                  canAskAgain && message === last && lastQuestion !== undefined
                    ? () => askAgain(lastQuestion.content, { byRules: true })
                    : undefined
                }
              />
              {failedAfter(at)}
            </Fragment>
          ))}
          {turn === null ? null : <AskedNow turn={turn} onAsk={onAsk} onLate={chat.askAnew} />}
        </ol>
      </div>
      <Suggestions
        message={canAskAgain ? last : undefined}
        asked={lastQuestion?.content}
        onAsk={(message) => onAsk({ message })}
      />
    </>
  )
}

type MessageItemProps = {
  message: ChatMessage
  cards: readonly Proposal[] | undefined
  now: Date
  onEdit: ((text: string) => void) | undefined
  onRetry: (() => void) | undefined
  onRules: (() => void) | undefined
}

/** A message that the server knows. */
function MessageItem({ message, cards, now, onEdit, onRetry, onRules }: MessageItemProps) {
  const isWriting = message.status === 'writing'
  return (
    <li aria-live={isWriting ? 'off' : undefined}>
      {message.role === 'user' ? (
        <QuestionView text={message.content} onEdit={onEdit} />
      ) : isWriting ? (
        <AnswerComing
          text={message.content}
          sources={message.message_metadata.sources}
          reading={null}
          isLate={isLate(message, now)}
        />
      ) : (
        <AnswerView
          message={message}
          cards={cards?.map((proposal) => (
            <ProposalCard key={proposal.id} proposal={proposal} />
          ))}
          onRetry={onRetry}
          onRules={onRules}
        />
      )}
    </li>
  )
}

const questionBefore = (messages: readonly ChatMessage[], at: number) =>
  messages.slice(0, at).findLast(({ role }) => role === 'user')?.content ?? ''

const isLate = (message: ChatMessage, now: Date) =>
  message.content === '' && now.getTime() - Date.parse(message.created_at) > LATE_MS

type AskedNowProps = {
  turn: Turn
  /** Undefined while another question is answered. */
  onAsk: ((asked: Asked) => void) | undefined
  onLate?: () => void
}

/** A question of this browser, and its answer as it comes, or why none came. */
function AskedNow({ turn, onAsk, onLate }: AskedNowProps) {
  const again = (more: Partial<Asked> = {}) =>
    onAsk === undefined
      ? undefined
      : () => onAsk({ message: turn.question, replacedId: turn.questionId, retried: turn, ...more })
  return (
    <>
      <li key="question">
        <QuestionView text={turn.question} />
      </li>
      <li key="answer" aria-live={turn.fault === null ? 'off' : undefined}>
        {turn.fault === null ? (
          <AnswerComing text={turn.text} reading={turn.reading} isLate={turn.isLate} onRetry={onLate} />
        ) : (
          <FaultLine fault={turn.fault} onRetry={again()} onRules={again({ byRules: true })} />
        )}
      </li>
    </>
  )
}

function Suggestions({
  message,
  asked,
  onAsk,
}: {
  message: ChatMessage | undefined
  asked: string | undefined
  onAsk: (question: string) => void
}) {
  const questions = (message?.message_metadata.suggestions ?? []).filter((each) => each !== asked)
  if (questions.length === 0) return null
  return (
    <ul aria-label="Suggestions" className="mt-3 flex flex-wrap gap-2">
      {questions.map((question) => (
        <li key={question}>
          <Button
            size="s"
            className="max-w-full whitespace-normal! text-left"
            onClick={() => onAsk(question)}
          >
            {question}
          </Button>
        </li>
      ))}
    </ul>
  )
}

type WelcomeProps = {
  questions: readonly string[]
  about: Subject | null
  onAsk: (question: string) => void
  className: string
  isWidget: boolean
}

/** Before the first message. */
function Welcome({ questions, about, onAsk, className, isWidget }: WelcomeProps) {
  return (
    <div className={cx(className, 'flex min-h-full flex-col justify-center py-8')}>
      <svg viewBox="0 0 58 80" aria-hidden="true" className="h-14 self-start text-ink">
        <WolfHead />
      </svg>
      <p className={cx('mt-4 font-display font-medium tracking-tight', isWidget ? 'text-lg' : 'text-xl')}>
        {about === null ? 'What do you want to know?' : `About ${about.name || about.email}`}
      </p>
      <p className="mt-1 max-w-md text-ink-2">
        Ask about your contacts, emails, meetings, tasks and invoices, or say what is to be done.
      </p>
      <ul aria-label="Suggestions" className="mt-5 flex flex-col items-start gap-2">
        {questions.map((question) => (
          <li key={question}>
            <Button className="max-w-full whitespace-normal! text-left" onClick={() => onAsk(question)}>
              {question}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Coming({ className }: { className: string }) {
  return (
    <div aria-busy className={cx(className, 'flex flex-col gap-6 pt-8')}>
      <Skeleton className="h-9 w-52 self-end rounded-xl" />
      <div className="flex flex-col gap-2">
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </div>
  )
}

/** Closer than this to the end, the view follows what is written. */
const NEAR_END_PX = 80

/** Keeps the newest words in view, unless the reader has scrolled up. */
function useScroller(name: string) {
  const ref = useRef<HTMLElement>(null)
  const follows = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)
  const toEnd = () => {
    follows.current = true
    setAtEnd(true)
    requestAnimationFrame(() => ref.current?.scrollTo({ top: ref.current.scrollHeight }))
  }
  useEffect(() => {
    const area = ref.current
    if (area === null) return undefined
    const onScroll = () => {
      follows.current = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR_END_PX
      setAtEnd(follows.current)
    }
    area.addEventListener('scroll', onScroll, { passive: true })
    // The keyboard of a phone takes away height.
    const watch = new ResizeObserver(() => {
      if (follows.current) area.scrollTop = area.scrollHeight
    })
    watch.observe(area)
    return () => {
      area.removeEventListener('scroll', onScroll)
      watch.disconnect()
    }
  }, [])
  const shown = useRef(name)
  // After each change of what is shown.
  useLayoutEffect(() => {
    const area = ref.current
    if (shown.current !== name) follows.current = true
    shown.current = name
    if (area !== null && follows.current) area.scrollTop = area.scrollHeight
  })
  return { ref, isAtEnd, toEnd }
}
