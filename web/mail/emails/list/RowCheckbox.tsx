import type { Email } from '#contract/mail/emails.ts'

type RowCheckboxProps = {
  mail: Email
  isChosen: boolean
  onToggle: (mail: Email, isRange: boolean) => void
}

/**
 * Selects a mail; with Shift, the range from the last selected one. Visible on hover, or while any mail is selected.
 */
export function RowCheckbox({ mail, isChosen, onToggle }: RowCheckboxProps) {
  return (
    <label className="absolute top-0 bottom-0 left-2.5 flex w-7 justify-center pt-3.5 max-md:pt-2 pointer-coarse:pt-2.5 max-md:pointer-coarse:pt-1.5 in-data-choosing:opacity-100! [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:transition-opacity [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100">
      <span className="sr-only">Select {mail.subject || 'No subject'}</span>
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onToggle(mail, (event.nativeEvent as MouseEvent).shiftKey)}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  )
}
