/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- the list of a combobox of the ARIA Authoring Practices: a datalist offers one value, not the next of a list */
import type { Contact } from '#contract/crm/contacts.ts'
import { shownAddress } from '#contract/formats/shown-sender.ts'
import { cx } from '#web/platform/ui/cx.ts'

type ContactSuggestionsProps = {
  /** The id of the list; its options have it with their number. */
  id: string
  contacts: readonly Contact[]
  /** The option that Enter takes. */
  at: number
  /** What stands beside a name: where a mail goes, or whom a bill is for. */
  detail: 'email' | 'company'
  onChoose: (index: number) => void
}

/** The contacts that a combobox above offers. */
export function ContactSuggestions({ id, contacts, at, detail, onChoose }: ContactSuggestionsProps) {
  return (
    <ul
      id={id}
      role="listbox"
      aria-label="Contacts"
      hidden={contacts.length === 0}
      className="absolute inset-x-0 top-full z-10 mt-1 max-h-64 overflow-y-auto rounded-md border border-line bg-surface py-1 shadow-float"
    >
      {contacts.map(({ id: contactId, name, email, company }, index) => (
        <li
          key={contactId}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // The press must not move the focus before it has chosen.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(index)
          }}
          className={cx(
            'flex cursor-default items-baseline gap-2 px-3 py-1.5 hover:bg-sunken pointer-coarse:py-2.5',
            index === at && 'bg-sunken',
          )}
        >
          <span className="truncate font-medium">{name || shownAddress(email)}</span>
          <span className="min-w-0 truncate text-sm text-ink-2">
            {detail === 'company' && company !== '' ? company : shownAddress(email)}
          </span>
        </li>
      ))}
    </ul>
  )
}
