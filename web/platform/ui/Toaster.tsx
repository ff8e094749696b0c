import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'
import {
  currentToasts,
  dismissToast,
  holdToasts,
  releaseToasts,
  subscribeToToasts,
  type Toast,
  type ToastKind,
} from './toast.ts'

const ICONS: Record<ToastKind, typeof Info> = { success: CircleCheck, error: CircleAlert, info: Info }
const COLOURS: Record<ToastKind, string> = { success: 'text-green', error: 'text-danger', info: 'text-blue' }

const none: ReadonlyArray<Toast> = []

/** Where toasts appear. Render one per page; its two live regions must exist before the first toast. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts, () => none)
  const errors = toasts.filter((toast) => toast.kind === 'error')
  const others = toasts.filter((toast) => toast.kind !== 'error')
  // In the body, above dialogs, which cover everything inside the app's root.
  return createPortal(
    <div
      onPointerEnter={holdToasts}
      onPointerLeave={releaseToasts}
      className="pointer-events-none fixed inset-x-3 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-60 flex flex-col items-end gap-2 sm:left-auto sm:right-5 md:bottom-5 lg:[body:has(>[data-beside])_&]:right-108"
    >
      <output aria-live="polite" className="flex max-w-full flex-col items-end gap-2">
        {others.map((toast) => (
          <Line key={toast.id} {...toast} />
        ))}
      </output>
      <div role="alert" aria-live="assertive" className="flex max-w-full flex-col items-end gap-2">
        {errors.map((toast) => (
          <Line key={toast.id} {...toast} />
        ))}
      </div>
    </div>,
    document.body,
  )
}

function Line({ id, kind, text, undo }: Toast) {
  const Icon = ICONS[kind]
  return (
    <div
      onFocus={holdToasts}
      onBlur={releaseToasts}
      className="pointer-events-auto flex max-w-full animate-[rise_160ms_var(--ease-out)] items-center gap-2.5 rounded-lg border border-line bg-surface py-1.5 pr-1.5 pl-3 shadow-float sm:max-w-120"
    >
      <Icon aria-hidden className={cx('size-4 shrink-0', COLOURS[kind])} />
      <span className="min-w-0 py-0.5">{text}</span>
      {undo ? (
        <button
          type="button"
          className="rounded-md px-2 py-1 font-medium text-accent hover:bg-sunken"
          onClick={() => {
            undo()
            dismissToast(id)
          }}
        >
          Undo
        </button>
      ) : null}
      <IconButton size="s" label="Dismiss" icon={<X />} onClick={() => dismissToast(id)} />
    </div>
  )
}
