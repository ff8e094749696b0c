import { useState } from 'react'
import type { FeedbackRow } from '#contract/operations/admin-feedback.ts'
import { cx } from '#web/platform/ui/cx.ts'

/** Longer details are cut. */
const SHOWN = 140

/** What somebody wrote: its beginning, and on request all of it with what they wish for and where they went. */
export function FeedbackWords({ row }: { row: FeedbackRow }) {
  const [isOpen, setOpen] = useState(false)
  const {
    feedback_details: details,
    improvements_suggested: wishes,
    competitor_switched_to: competitor,
  } = row
  const hasMore = details.length > SHOWN || details.includes('\n') || wishes !== '' || competitor !== ''
  return (
    <div className="flex max-w-prose flex-col items-start gap-1.5">
      <p className={cx('wrap-anywhere', isOpen ? 'whitespace-pre-line' : 'line-clamp-2')}>{details}</p>
      {isOpen && wishes !== '' ? <Answer label="Suggested improvements" text={wishes} /> : null}
      {isOpen && competitor !== '' ? <Answer label="Switched to" text={competitor} /> : null}
      {hasMore ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="rounded-sm text-sm text-accent hover:underline pointer-coarse:py-2"
        >
          {isOpen ? 'Read Less' : 'Read More'}
        </button>
      ) : null}
    </div>
  )
}

function Answer({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="text-sm text-ink-2">{label}</p>
      <p className="wrap-anywhere whitespace-pre-line">{text}</p>
    </div>
  )
}
