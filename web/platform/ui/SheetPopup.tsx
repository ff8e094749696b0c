import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'
import type { SheetProps } from './sheet-props.ts'

const SIDES = {
  bottom:
    'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-xl pb-[env(safe-area-inset-bottom)] data-ending-style:translate-y-full data-starting-style:translate-y-full',
  right:
    'inset-y-0 right-0 w-full sm:max-w-110 data-ending-style:translate-x-full data-starting-style:translate-x-full',
}

/** The lazy half of `Sheet`, which is the one to use. */
export function SheetPopup({ open, onClose, title, children, side = 'bottom' }: SheetProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-veil transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          className={cx(
            'fixed z-50 flex flex-col bg-surface shadow-float outline-none transition-transform duration-180',
            SIDES[side],
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
