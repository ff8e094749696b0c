import { Pencil, RotateCcw } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type ChatMessage, type ChatSource, QUESTION_MAX } from '#contract/assistant/assistant.ts'
import { doubtSession } from '#web/platform/api/token.ts'
import { isOwnPath } from '#web/platform/own-path.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { FAILED, type Fault, TAKES_LONG } from './ask.ts'
import { CopyButton } from './CopyButton.tsx'
import { Markdown } from './Markdown.tsx'

/** What the user has said; the last question can be edited. */
export function QuestionView({
  text,
  onEdit,
}: {
  text: string
  onEdit?: ((text: string) => void) | undefined
}) {
  const [isEdited, setEdited] = useState(false)
  if (isEdited && onEdit !== undefined)
    return (
      <EditQuestion
        text={text}
        onCancel={() => setEdited(false)}
        onSend={(changed) => {
          setEdited(false)
          onEdit(changed)
        }}
      />
    )
  return (
    <div data-row className="flex flex-row-reverse items-center gap-1">
      <p className="max-w-[85%] rounded-xl bg-accent-soft px-3.5 py-2 whitespace-pre-wrap wrap-anywhere">
        <span className="sr-only">You: </span>
        {text}
      </p>
      <span className="row-actions">
        <CopyButton text={text} label="Copy question" />
        {onEdit === undefined ? null : (
          <IconButton size="s" label="Edit question" icon={<Pencil />} onClick={() => setEdited(true)} />
        )}
      </span>
    </div>
  )
}

function EditQuestion(props: { text: string; onCancel: () => void; onSend: (text: string) => void }) {
  const [text, setText] = useState(props.text)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => box.current?.focus(), [])
  const send = () => {
    if (text.trim() !== '') props.onSend(text.trim())
  }
  return (
    <form
      aria-label="Edit question"
      className="flex flex-col items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        ref={box}
        rows={2}
        value={text}
        maxLength={QUESTION_MAX}
        aria-label="Question"
        className="text-md"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            props.onCancel()
          }
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      <span className="flex gap-2">
        <Button onClick={props.onCancel}>Cancel</Button>
        <Button type="submit" variant="primary">
          Send again
        </Button>
      </span>
    </form>
  )
}

type AnswerViewProps = {
  message: ChatMessage
  /** The cards of this answer. */
  cards: ReactNode
  /** Asks the last question again; only the last answer can be retried. */
  onRetry?: (() => void) | undefined
  /** The same, without a language model. */
  onRules?: (() => void) | undefined
}

/** What Wolfy has said. */
export function AnswerView({ message, cards, onRetry, onRules }: AnswerViewProps) {
  const { content, status, message_metadata: more } = message
  return (
    <div data-row className="flex min-w-0 flex-col gap-3">
      <span className="sr-only">Wolfy: </span>
      {content === '' ? null : <Markdown text={content} sources={more.sources} />}
      <SourceList sources={more.sources} />
      {cards}
      {status === 'stopped' ? <p className="text-ink-2">Stopped.</p> : null}
      {status === 'failed' ? (
        <FaultLine
          fault={{ kind: more.by === 'rules' ? 'other' : 'rules', sentence: FAILED }}
          onRetry={onRetry}
          onRules={onRules}
        />
      ) : null}
      <div className="-ml-1.5 flex min-h-7 items-center gap-1 text-xs text-ink-2">
        {content === '' ? null : <CopyButton text={content} label="Copy answer" />}
        {onRetry === undefined || status === 'failed' ? null : (
          <IconButton size="s" label="Retry" icon={<RotateCcw />} onClick={onRetry} />
        )}
        {more.by === null || (status === 'failed' && content === '') ? null : (
          <span className="pl-1">
            {more.by === 'rules' ? 'Works by rules' : (more.model ?? 'Language model')}
          </span>
        )}
      </div>
    </div>
  )
}

/** The answer while it is being written. */
export function AnswerComing({
  text,
  sources = null,
  reading,
  isLate,
  onRetry,
}: {
  text: string
  /** Null until they are known. */
  sources?: readonly ChatSource[] | null
  reading: string | null
  isLate: boolean
  onRetry?: (() => void) | undefined
}) {
  // Keys and clicks come before the newest words.
  const shown = useDeferredValue(text)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {shown === '' ? null : <Markdown text={shown} sources={sources} />}
      {isLate ? (
        <FaultLine fault={{ kind: 'other', sentence: TAKES_LONG }} onRetry={onRetry} isCalm />
      ) : (
        <p className="flex items-center gap-2 text-ink-2">
          <span
            aria-hidden
            className="size-2 animate-[breathe_1.2s_ease-in-out_infinite] rounded-full bg-accent"
          />
          {reading ?? (text === '' ? 'Wolfy is thinking…' : 'Wolfy is writing…')}
        </p>
      )}
    </div>
  )
}

type FaultLineProps = {
  fault: Fault
  onRetry?: (() => void) | undefined
  onRules?: (() => void) | undefined
  isCalm?: boolean
}

/** Why there is no answer, and what can be done. */
export function FaultLine({ fault, onRetry, onRules, isCalm = false }: FaultLineProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p role={isCalm ? 'status' : 'alert'} className={isCalm ? 'text-ink-2' : 'text-danger'}>
        {fault.sentence}
      </p>
      {fault.kind === 'log-in' ? (
        // The session is over: whoever follows this link is asked who they are.
        <Link to={paths.login} onClick={doubtSession} className={buttonClass('quiet', 's')}>
          Login
        </Link>
      ) : null}
      {onRetry === undefined || fault.kind === 'log-in' ? null : (
        <Button size="s" icon={<RotateCcw aria-hidden className="size-3.5" />} onClick={onRetry}>
          Retry
        </Button>
      )}
      {fault.kind === 'rules' && onRules !== undefined ? (
        <Button size="s" onClick={onRules}>
          Answer by rules
        </Button>
      ) : null}
    </div>
  )
}

/** Beyond this many, the list of sources is opened by hand: each fact has its number beside it anyway. */
const LISTED_AT_ONCE = 3

/** The pages that the facts of an answer come from. */
function SourceList({ sources }: { sources: readonly ChatSource[] }) {
  const own = sources.filter(({ path }) => isOwnPath(path))
  if (own.length === 0) return null
  const list = (
    <ul aria-label="Sources" className="flex flex-wrap gap-1.5">
      {own.map(({ n, label, path }) => (
        <li key={n} className="max-w-full">
          <Link
            to={path}
            className="flex max-w-60 items-center gap-1.5 rounded-full border border-line bg-surface py-0.5 pr-2.5 pl-1 text-xs text-ink-2 hover:border-control hover:text-ink pointer-coarse:py-2"
          >
            <span
              aria-hidden
              className="grid h-4.5 min-w-4.5 place-items-center rounded-full bg-sunken px-1 text-[0.6875rem] font-medium tabular-nums"
            >
              {n}
            </span>
            <span className="truncate">{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
  if (own.length <= LISTED_AT_ONCE) return list
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-sm text-ink-2 hover:text-ink pointer-coarse:py-2.5">
        {own.length} sources
      </summary>
      <div className="pt-2">{list}</div>
    </details>
  )
}
