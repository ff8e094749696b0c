import { useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import { call } from '#web/platform/api/call.ts'
import { type EmailEntries, filledBy, proposalText } from './email-form.ts'

/**
 * Looks for the servers of an address when its field is left, and fills in what is still empty. `message` says what was
 * done, until `forget`; `looking` that it takes a moment.
 */
export function useDiscovery(form: UseFormReturn<EmailEntries>) {
  const [message, setMessage] = useState<string | null>(null)
  const [looking, setLooking] = useState(false)
  const asked = useRef('')
  const earlier = useRef<Partial<EmailEntries>>({})

  const lookFor = async (typed: string) => {
    const email = typed.trim()
    // Servers that are saved are not asked for again, nor is the same address.
    if (email === asked.current || !isEmailAddress(email)) return
    asked.current = email
    setLooking(true)
    try {
      const proposal = await call(mailboxSetup.discover, { query: { email } })
      if (asked.current !== email) return
      const filled = filledBy(proposal, form.getValues(), earlier.current)
      for (const [name, value] of Object.entries(filled)) {
        form.setValue(name as keyof EmailEntries, value, { shouldDirty: true })
        form.clearErrors(name as keyof EmailEntries)
      }
      earlier.current = { ...earlier.current, ...filled }
      setMessage(proposalText(proposal, filled))
    } catch {
      // A proposal is a kindness: without it the form is filled in by hand, as ever.
      if (asked.current === email) setMessage(null)
    } finally {
      if (asked.current === email) setLooking(false)
    }
  }

  /** Servers that work need no words about how they were found. */
  const forget = () => setMessage(null)

  return { message, looking, lookFor, forget }
}
