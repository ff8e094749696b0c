import { cx } from './cx.ts'

/** A grey placeholder in the shape of the content; `className` gives it its size (`h-4 w-32`). */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={cx('block animate-[breathe_1.6s_ease-in-out_infinite] rounded-sm bg-sunken', className)}
    />
  )
}
