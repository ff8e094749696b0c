import { useEffect, useRef } from 'react'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { STEPS } from './answers.ts'
import { ContactStep, DetailsStep, RatingStep, ReasonStep } from './steps.tsx'
import type { Leaving } from './use-leaving.ts'

const PAGES = { reason: ReasonStep, rating: RatingStep, details: DetailsStep, contact: ContactStep }

/** Why the user leaves, in four steps. Submitting it deletes the account. */
export function FeedbackDialog({ leaving }: { leaving: Leaving }) {
  const { open, close, step, error, refusals } = leaving
  const isLast = step === STEPS.length - 1
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Tell us why you are leaving"
      error={error}
      onSubmit={() => (isLast ? void leaving.submit() : leaving.next())}
      footer={<Buttons leaving={leaving} isLast={isLast} />}
    >
      <p aria-live="polite" className="mb-2 text-sm text-ink-2 tabular-nums">
        Step {step + 1} of {STEPS.length}
      </p>
      <ProgressBar label="Feedback progress" value={step + 1} max={STEPS.length} />
      <Step key={`${step} ${refusals}`} leaving={leaving} />
    </Dialog>
  )
}

/** One step. Shown anew for each step, and where an answer is missing: it takes the focus to where to go on. */
function Step({ leaving }: { leaving: Leaving }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => startOf(body.current)?.focus(), [])
  const Page = PAGES[STEPS[leaving.step] ?? 'reason']
  return (
    <div ref={body} className="mt-5 min-h-52">
      <Page leaving={leaving} />
    </div>
  )
}

/** The field that is wrong, else the chosen answer, else the first field. */
const startOf = (body: HTMLElement | null) =>
  body?.querySelector<HTMLElement>('[aria-invalid=true]') ??
  body?.querySelector<HTMLElement>('input:checked') ??
  body?.querySelector<HTMLElement>('input, textarea, select')

function Buttons({ leaving, isLast }: { leaving: Leaving; isLast: boolean }) {
  const { step, busy, close, previous } = leaving
  return (
    <>
      <Button onClick={previous} disabled={step === 0 || busy} className="mr-auto">
        Previous
      </Button>
      <Button variant="plain" onClick={close}>
        Cancel
      </Button>
      <Button
        key={isLast ? 'submit' : 'next'}
        type="submit"
        variant={isLast ? 'danger' : 'primary'}
        busy={busy}
      >
        {isLast ? 'Submit' : 'Next'}
      </Button>
    </>
  )
}
