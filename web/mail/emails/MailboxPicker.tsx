import { mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import type { MailLocation } from './page/page-location.ts'

/** Accounts seldom change. */
const FRESH_MS = 60_000

/** Selects one account or all; not shown with fewer than two. */
export function MailboxPicker({ location }: { location: MailLocation }) {
  const accounts = useEndpoint(mailboxes.accounts, { staleTime: FRESH_MS })
  const known = accounts.data ?? []
  if (known.length < 2) return null
  return (
    <Field label="Mailbox" hideLabel className="max-xl:w-44 max-xl:shrink-0">
      <Select
        value={location.mailbox ?? ''}
        onChange={({ target }) =>
          location.go({ mailbox: target.value === '' ? null : Number(target.value), page: 1, emailId: null })
        }
        options={[
          { value: '', label: 'All mailboxes' },
          ...known.map(({ id, address, practice }) => ({
            value: String(id),
            label: practice ? `${address} (practice)` : address,
          })),
        ]}
      />
    </Field>
  )
}
