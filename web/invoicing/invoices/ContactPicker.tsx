/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the combobox of the ARIA Authoring Practices: a datalist offers one value, not the next of a list */
import { type KeyboardEvent, useId, useState } from 'react'
import { type Contact, contacts } from '#contract/crm/contacts.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { ContactSuggestions } from '#web/crm/contacts/ContactSuggestions.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'

const SUGGESTED = 6

/** Finds a contact by name, address or company; before anything is typed the newest are offered. */
export function ContactPicker({ onChoose }: { onChoose: (contact: Contact) => void }) {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const search = useSettled(typed)
  const { data, isFetched } = usePage(contacts.list, {
    query: { ...(search === '' ? {} : { search }), page_size: SUGGESTED, total: 'rough' },
    enabled: isOpen,
  })
  const found = isOpen ? (data?.rows ?? []) : []
  const isNothing = isOpen && isFetched && found.length === 0
  const choose = (contact: Contact | undefined) => {
    if (contact === undefined) return
    onChoose(contact)
    setTyped('')
    setOpen(false)
    setAt(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && !isOpen) setOpen(true)
    else if (step !== undefined && found.length > 0) setAt((at + step + found.length) % found.length)
    else if (event.key === 'Enter') choose(found[at])
    else if (event.key === 'Escape' && isOpen) setOpen(false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="relative">
      <TextInput
        value={typed}
        placeholder="Name, company or email"
        onChange={(event) => {
          setTyped(event.target.value)
          setOpen(true)
          setAt(0)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${list}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
      />
      <ContactSuggestions
        id={list}
        contacts={found}
        at={at}
        detail="company"
        onChoose={(index) => choose(found[index])}
      />
      <output className={isNothing ? 'mt-1 block text-sm text-ink-2' : 'sr-only'}>
        {isNothing ? (search === '' ? 'You have no contacts yet.' : `No contact found for “${search}”.`) : ''}
      </output>
    </div>
  )
}
