import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, type Ref, type SubmitEvent } from 'react'
import { QUESTION_MAX } from '#contract/assistant/assistant.ts'
import { cx } from '#web/platform/ui/cx.ts'

type ComposerProps = {
  ref?: Ref<HTMLTextAreaElement>
  text: string
  onText: (text: string) => void
  /** Called with words only, never while Wolfy answers. */
  onSend: (text: string) => void
  isAnswering: boolean
  onStop: () => void
}

/** With fewer characters left than this, their number is shown. */
const NEAR_END = 400

/** Where a message is written. Enter sends it; Shift+Enter begins a new line. */
export function Composer({ ref, text, onText, onSend, isAnswering, onStop }: ComposerProps) {
  const left = QUESTION_MAX - text.trim().length
  const cannotSend = text.trim() === '' || left < 0
  const send = () => {
    if (!cannotSend && !isAnswering) onSend(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method is at work, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form onSubmit={onSubmit} className="relative">
      <textarea
        ref={ref}
        rows={1}
        value={text}
        aria-label="Message"
        aria-invalid={left < 0 || undefined}
        aria-keyshortcuts="Enter"
        placeholder="Ask Wolfy…"
        enterKeyHint="send"
        autoComplete="off"
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-[35dvh] min-h-13 w-full resize-none rounded-xl border border-control/70 bg-surface py-3.5 pr-14 pl-4 text-md leading-relaxed transition-colors hover:border-control focus:border-accent focus-visible:outline-offset-0"
      />
      {left < NEAR_END ? (
        <output
          className={cx(
            'absolute right-2 bottom-full mb-1 rounded-sm bg-paper px-1 text-xs tabular-nums',
            left < 0 ? 'text-danger' : 'text-ink-2',
          )}
        >
          {left < 0
            ? `${(-left).toLocaleString('en')} characters too long`
            : `${left.toLocaleString('en')} characters left`}
        </output>
      ) : null}
      {isAnswering ? (
        <button
          type="button"
          aria-label="Stop"
          data-tip="Stop"
          onClick={onStop}
          className={cx(roundClass, 'bg-ink text-paper')}
        >
          <Square aria-hidden className="size-3.5 fill-current" />
        </button>
      ) : (
        <button
          type="submit"
          aria-label="Send"
          data-tip="Send"
          aria-disabled={cannotSend || undefined}
          className={cx(
            roundClass,
            cannotSend ? 'bg-sunken text-ink-2' : 'bg-accent text-on-accent hover:bg-accent-strong',
          )}
        >
          <ArrowUp aria-hidden className="size-4.5" />
        </button>
      )}
    </form>
  )
}

const roundClass =
  'absolute right-2 bottom-2 grid size-9 place-items-center rounded-lg transition-colors pointer-coarse:right-1 pointer-coarse:bottom-1 pointer-coarse:size-11'
