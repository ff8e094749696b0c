import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef, type FormEvent, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'
import type { DialogProps } from './dialog-props.ts'

const WIDTHS = {
  s: 'sm:max-w-105',
  m: 'sm:max-w-140',
  l: 'sm:max-w-180',
  xl: 'sm:max-w-260',
  page: 'sm:max-w-180 max-sm:h-dvh max-sm:max-h-none max-sm:rounded-none',
}

/** The lazy half of `Dialog`, which is the one to use. */
export function DialogPopup(props: DialogProps & { opener: Element | null }) {
  const {
    open,
    onClose,
    title,
    description,
    children,
    footer,
    submit,
    onSubmit,
    busy = false,
    error,
    size = 'm',
    startsInField = true,
  } = props
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && !busy && onClose()} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop data-veil className={backdropClass} />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-end justify-center sm:items-center sm:p-6">
          <Dialog.Popup
            ref={popup}
            finalFocus={() =>
              props.opener instanceof HTMLElement && props.opener.isConnected ? props.opener : true
            }
            // On a touch screen no field is focused, because that would open the keyboard.
            initialFocus={
              props.initialFocus ??
              ((how) => how === 'touch' || (startsInField ? startOf(popup.current) : popup.current))
            }
            aria-busy={busy || undefined}
            className={cx(popupClass, WIDTHS[size])}
          >
            <div className="flex items-start justify-between gap-4 px-5 pt-4.5 sm:px-6 sm:pt-5">
              <div className="min-w-0">
                <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
                {description ? (
                  <Dialog.Description render={<div />} className="mt-1 text-ink-2">
                    {description}
                  </Dialog.Description>
                ) : null}
              </div>
              <Dialog.Close
                disabled={busy}
                render={
                  <IconButton size="s" label="Close" icon={<X />} className="-mr-1.5 pointer-coarse:-mt-2" />
                }
              />
            </div>
            <Body onSubmit={onSubmit}>
              {children ? (
                <div data-body className="min-h-0 grow overflow-y-auto px-5 py-4 sm:px-6">
                  {children}
                </div>
              ) : null}
              {error ? (
                <p
                  role="alert"
                  className={cx(
                    'mx-5 mb-3 rounded-md bg-danger-soft px-3 py-2 text-danger sm:mx-6',
                    !children && 'mt-4',
                  )}
                >
                  {error}
                </p>
              ) : null}
              {footer || submit ? (
                <div
                  data-footer
                  className={cx(
                    'flex flex-wrap justify-end gap-2 px-5 pb-5 sm:px-6',
                    children || error ? 'pt-1' : 'pt-5',
                  )}
                >
                  {footer}
                  {submit ? <SubmitButtons {...props} /> : null}
                </div>
              ) : (
                <div className="pb-2" />
              )}
            </Body>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/**
 * The first field, else the first button of the footer (Cancel), else the first focusable element. A select marked
 * `data-preset` seldom has to be changed and is passed over.
 */
const startOf = (popup: HTMLElement | null) =>
  popup?.querySelector<HTMLElement>(
    '[data-body] :is(input, textarea, select):not(:disabled, [readonly], [type=file], [data-preset])',
  ) ??
  popup?.querySelector<HTMLElement>('[data-footer] button:not(:disabled)') ??
  true

function SubmitButtons({
  submit,
  submitDisabled = false,
  danger = false,
  busy = false,
  onClose,
}: DialogProps) {
  return (
    <>
      <Button onClick={onClose} disabled={busy}>
        Cancel
      </Button>
      <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} disabled={submitDisabled}>
        {submit}
      </Button>
    </>
  )
}

function Body({ onSubmit, children }: { onSubmit: DialogProps['onSubmit']; children: ReactNode }) {
  const frame = 'flex min-h-0 grow flex-col'
  if (!onSubmit) return <div className={frame}>{children}</div>
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A dialog inside another form must not submit that form too: React events bubble through portals.
    event.stopPropagation()
    onSubmit(event)
  }
  return (
    <form noValidate onSubmit={submit} className={frame}>
      {children}
    </form>
  )
}

const backdropClass =
  'fixed inset-0 z-50 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

const popupClass =
  'flex max-h-[92dvh] w-full flex-col overflow-hidden rounded-t-xl bg-surface shadow-float outline-none sm:max-h-[86dvh] sm:rounded-xl ' +
  'transition duration-150 data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0'
