import { CircleAlert } from 'lucide-react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'

type ErrorStateProps = { message: string; onRetry?: () => void; busy?: boolean; className?: string }

/** Shown in place of a list that could not be loaded. */
export function ErrorState({ message, onRetry, busy = false, className }: ErrorStateProps) {
  return (
    <div role="alert" className={cx('flex flex-col items-center gap-3 px-6 py-10 text-center', className)}>
      <CircleAlert aria-hidden className="size-5 text-danger" />
      <p>{message}</p>
      {onRetry ? (
        <Button onClick={onRetry} busy={busy}>
          Try again
        </Button>
      ) : null}
    </div>
  )
}
