import { type KeyboardEvent, useState } from 'react'
import { isEmailAddress } from '#contract/platform/values.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'

/** Asks for the address of a link; `onDone` gets null if the user cancels. */
export function LinkField({ onDone }: { onDone: (address: string | null) => void }) {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const add = () => {
    const address = linkAddress(typed)
    if (address === null) setWrong(true)
    else onDone(address)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    // Enter must not send the draft, and Esc must not close its dialog.
    event.stopPropagation()
    if (event.key === 'Enter') add()
    else onDone(null)
  }
  return (
    <div className="flex gap-2 border-b border-line px-2 py-1.5">
      <TextInput
        aria-label="Link address"
        aria-invalid={isWrong || undefined}
        inputMode="url"
        placeholder="https://…"
        value={typed}
        onChange={(event) => {
          setWrong(false)
          setTyped(event.target.value)
        }}
        onKeyDown={onKeyDown}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
        autoFocus
        className="h-7"
      />
      <Button size="s" onClick={add}>
        Add link
      </Button>
    </div>
  )
}

/** The link for what the user typed: a web address or a mail address; null for anything else. */
export function linkAddress(typed: string): string | null {
  const plain = typed.trim().replace(/^mailto:/i, '')
  if (isEmailAddress(plain)) return `mailto:${plain}`
  const address = /^https?:\/\//i.test(plain) ? plain : `https://${plain}`
  const url = URL.parse(address)
  return url !== null && url.hostname.includes('.') && url.username === '' ? address : null
}
