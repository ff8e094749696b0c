import { Plus } from 'lucide-react'
import { useId, useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { EmailForm } from './EmailForm.tsx'
import { NOTHING_SAVED } from './email-form.ts'

type AddAccountProps = {
  count: number
  /** For how many accounts the plan has room; null: any number. */
  max: number | null
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  practising: boolean
}

/** How many accounts are connected, and the form for one more while the plan has room. */
export function AddAccount({ count, max, isOpen, onOpen, practising }: AddAccountProps) {
  const heading = useId()
  const button = useRef<HTMLButtonElement>(null)
  const isFull = max !== null && count >= max
  const close = () => {
    onOpen(false)
    button.current?.focus()
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex min-h-8.5 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-ink-2">{textOf(count, max)}</p>
        {isFull ? (
          <Link to={paths.pricing} className="text-link">
            See plans
          </Link>
        ) : (
          <Button
            ref={button}
            icon={<Plus aria-hidden className="size-4" />}
            aria-expanded={isOpen}
            onClick={() => onOpen(!isOpen)}
          >
            Add account
          </Button>
        )}
      </div>
      {isOpen && !isFull ? (
        <section aria-labelledby={heading} className="flex flex-col gap-4 rounded-lg border border-line p-4">
          <h3 id={heading} className="font-semibold">
            Add email account
          </h3>
          <EmailForm
            account="new"
            saved={NOTHING_SAVED}
            practising={practising}
            onSaved={close}
            onCancel={close}
          />
        </section>
      ) : null}
    </div>
  )
}

function textOf(count: number, max: number | null): string {
  if (max === null) return `${count} email ${count === 1 ? 'account' : 'accounts'}`
  if (max === 1) return 'Your plan has room for 1 email account.'
  const used = `${count} of ${max} email accounts`
  return count < max ? used : `${used}. Your plan has no room for more.`
}
