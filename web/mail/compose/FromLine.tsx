import { mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { senderOf, sendersOf } from './sender.ts'

/** An example, shown if there is no address yet. */
const EXAMPLE = 'you@example.com'

type FromLineProps = {
  /** The account that the mail began with; null: the one in use. */
  begun: number | null
  chosen: number | null
  onChoose: (mailboxId: number) => void
  onConnect: () => void
}

/**
 * The sender of a draft: a choice where several accounts could send it, else the address. Without a mailbox it shows an
 * example and a way to connect one.
 */
export function FromLine({ begun, chosen, onChoose, onConnect }: FromLineProps) {
  const { data } = useEndpoint(mailboxes.accounts)
  const senders = sendersOf(data ?? [], begun)
  const selected = senderOf(data ?? [], begun, chosen)
  if (senders.length > 1) {
    return (
      <Field label="From">
        <Select
          // Nearly always right as it is: the dialog starts in To.
          data-preset
          value={selected?.id ?? ''}
          onChange={({ target }) => onChoose(Number(target.value))}
          options={senders.map(({ id, address, practice }) => ({
            value: String(id),
            label: practice ? `${address} (practice)` : address,
          }))}
        />
      </Field>
    )
  }
  const address = data === undefined ? null : (selected?.address ?? '')
  return (
    <p className="flex min-h-5 min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
      <span id="compose-from" className="font-medium">
        From
      </span>
      {address === null ? null : (
        <output aria-labelledby="compose-from" className="min-w-0 break-all text-ink-2">
          {address === '' ? EXAMPLE : address}
        </output>
      )}
      {address === '' ? (
        <button type="button" className="text-link" onClick={onConnect}>
          Connect your mailbox
        </button>
      ) : null}
    </p>
  )
}
