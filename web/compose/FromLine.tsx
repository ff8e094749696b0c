import { mailboxes } from '#contract/mailboxes.ts'
import { useEndpoint } from '#web/api/queries.ts'
import { addressInUse } from './sender.ts'

/** An example, shown if there is no address yet. */
const EXAMPLE = 'you@example.com'

/** The sender address of a draft. Without a mailbox it shows an example and a way to connect one. */
export function FromLine({ onConnect }: { onConnect: () => void }) {
  const { data } = useEndpoint(mailboxes.accounts)
  const address = data === undefined ? null : addressInUse(data)
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
