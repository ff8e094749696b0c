import { automaticMail, type AutomaticMailAccount } from '#contract/outreach/automatic-mail.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { StoppedAccount } from './StoppedAccounts.tsx'

/** How many automatic emails each account sends today, whether it is new, and which stands still. Nothing without an account. */
export function AccountsToday() {
  const { data = [] } = useEndpoint(automaticMail.accounts)
  if (data.length === 0) return null
  const going = data.filter(({ stopped }) => stopped === null)
  return (
    <section aria-label="Automatic emails today" className="mb-4 flex flex-col gap-3">
      {data.map((account) => (
        <StoppedAccount key={account.id} account={account} />
      ))}
      {going.length === 0 ? null : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {going.map((account) => (
            <li
              key={account.id}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 px-4 py-2 text-sm"
            >
              <span className="min-w-0 font-medium wrap-anywhere">{account.address}</span>
              <span className="text-ink-2 tabular-nums">
                <span className="text-ink">{todayText(account)}</span>
                {account.warm_up && account.ceiling !== null
                  ? ' · Warming up: half as many again each day'
                  : null}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** "12 of 30 automatic emails today", "1 automatic email today". */
function todayText({ sent_today: sent, ceiling }: AutomaticMailAccount): string {
  const count = sent.toLocaleString('en')
  if (ceiling !== null) return `${count} of ${ceiling.toLocaleString('en')} automatic emails today`
  return sent === 0
    ? 'No automatic emails today'
    : `${count} automatic ${sent === 1 ? 'email' : 'emails'} today`
}
