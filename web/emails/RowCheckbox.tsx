import type { Email } from '#contract/emails.ts'
import { cx } from '#web/ui/cx.ts'
import type { Selection } from './use-selection.ts'

type RowCheckboxProps = { mail: Email; selection: Selection; rows: readonly Email[] }

/** Chooses a mail; with Shift everything from the one chosen before. It shows when pointed at or once one is chosen. */
export function RowCheckbox({ mail, selection, rows }: RowCheckboxProps) {
  const isChosen = selection.has(mail.id)
  return (
    <label
      className={cx(
        'absolute top-0 bottom-0 left-2.5 flex w-7 justify-center pt-3.5',
        selection.mails.length === 0 &&
          'transition-opacity [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100',
      )}
    >
      <span className="sr-only">Select {mail.subject || 'No subject'}</span>
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => {
          const { shiftKey } = event.nativeEvent as MouseEvent
          selection.toggle(mail, shiftKey ? rows : undefined)
        }}
        className="size-4 accent-moon pointer-coarse:size-5"
      />
    </label>
  )
}
