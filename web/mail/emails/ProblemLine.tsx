import { ArrowRight } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { EmailSettings, MailAccount } from '#contract/mail/mailboxes.ts'
import { TryAgain } from '#web/mail/email-text/TryAgain.tsx'
import { paths } from '#web/platform/paths.ts'
import { mailboxProblem } from './mailbox-problem.ts'

type ProblemLineProps = {
  settings: EmailSettings | undefined
  accounts: readonly MailAccount[]
  now: Date
  next: RefObject<HTMLButtonElement | null>
}

/** The problem of the mailbox in one line; `next` gets the focus when the line goes with it. */
export function ProblemLine({ settings, accounts, now, next }: ProblemLineProps) {
  const problem = mailboxProblem(settings, accounts, now)
  const line = useRef<HTMLParagraphElement>(null)
  const isShown = problem !== null
  useEffect(() => {
    if (!isShown) return undefined
    const [shown, follows] = [line.current, next.current]
    let focused: EventTarget | null = null
    const note = ({ target }: FocusEvent) => {
      focused = target
    }
    document.addEventListener('focusin', note)
    return () => {
      document.removeEventListener('focusin', note)
      // Somebody at the keyboard goes on from above the list when the line goes with the focus.
      const hadFocus = focused instanceof Node && shown?.contains(focused) === true
      if (hadFocus && document.activeElement === document.body) follows?.focus()
    }
  }, [isShown, next])
  if (problem === null) return null
  return (
    <p
      ref={line}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-amber-soft px-4 py-1.5 text-sm md:px-6"
    >
      <span className="min-w-0 wrap-anywhere">{problem.sentence}</span>
      <TryAgain />
      {problem.isWait ? null : (
        <Link to={paths.profile} className="inline-flex items-center gap-1 text-link">
          Check your email settings
          <ArrowRight aria-hidden className="size-3.5" />
        </Link>
      )}
    </p>
  )
}
