import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'

export type SheetProps = { open: boolean; onClose: () => void; title: string; children: ReactNode }

/** The lazy half of `Sheet`, which is the one to use. */
export function SheetPopup({ open, onClose, title, children }: SheetProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-veil transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          className={cx(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[85dvh] flex-col rounded-t-xl bg-surface shadow-float outline-none',
            'pb-[env(safe-area-inset-bottom)] transition-transform duration-180 data-ending-style:translate-y-full data-starting-style:translate-y-full',
          )}
        >
          <div className="flex items-center justify-between gap-4 px-5 pt-3">
            <Dialog.Title className="text-md font-semibold">{title}</Dialog.Title>
            <Dialog.Close render={<IconButton label="Close" icon={<X />} className="-mr-2" />} />
          </div>
          <div className="min-h-0 overflow-y-auto px-5 pb-5">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
