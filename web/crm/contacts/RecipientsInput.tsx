/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the combobox of the ARIA Authoring Practices: a datalist offers one value, not the next of a list */
import { type KeyboardEvent, useId, useState } from 'react'
import { contacts } from '#contract/crm/contacts.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { ContactSuggestions } from '#web/crm/contacts/ContactSuggestions.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { beingTyped, withChosen } from './recipients.ts'

const SUGGESTED = 6

type RecipientsInputProps = { value: string; onChange: (value: string) => void }

/** One or more addresses; matching contacts are suggested below while the user types. */
export function RecipientsInput({ value, onChange }: RecipientsInputProps) {
  const list = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const search = useSettled(beingTyped(value))
  const { data } = usePage(contacts.list, {
    query: { search, page_size: SUGGESTED, total: 'rough' },
    enabled: isOpen && search !== '',
  })
  const found = isOpen && search !== '' ? (data?.rows ?? []).filter(({ email }) => email !== search) : []
  const shows = found.length > 0
  const choose = (index: number) => {
    const contact = found[index]
    if (contact === undefined) return
    onChange(withChosen(value, contact.name, contact.email))
    setAt(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!shows) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((at + step + found.length) % found.length)
    else if (event.key === 'Enter') choose(at)
    else if (event.key === 'Escape') setOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="relative">
      <TextInput
        value={value}
        onChange={(event) => {
          setOpen(true)
          setAt(0)
          onChange(event.target.value)
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={shows}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shows ? `${list}-${at}` : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
      />
      <ContactSuggestions id={list} contacts={found} at={at} detail="email" onChoose={choose} />
    </div>
  )
}
