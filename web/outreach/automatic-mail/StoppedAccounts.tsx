import { CirclePause } from 'lucide-react'
import { automaticMail, type AutomaticMailAccount } from '#contract/outreach/automatic-mail.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** A notice for each account whose automatic emails stand still because of its figures. Nothing where none does. */
export function StoppedAccounts() {
  const { data = [] } = useEndpoint(automaticMail.accounts)
  const stopped = data.filter((account) => account.stopped !== null)
  if (stopped.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      {stopped.map((account) => (
        <StoppedAccount key={account.id} account={account} />
      ))}
    </div>
  )
}

type StoppedAccountProps = {
  account: AutomaticMailAccount
  /** Said where only something of it is seen, such as one sequence. */
  headline?: string
}

/** That an account's automatic emails stand still, why, and how they go on. Nothing if they do not. */
export function StoppedAccount({ account, headline }: StoppedAccountProps) {
  const { id, address, stopped } = account
  const goOn = useCommand(automaticMail.goOn, {
    refreshes: [automaticMail.accounts, outreach.current, sequences.members],
    onSuccess: () => void toast.success('Automatic emails go on'),
    onError: (error) => void toast.error(sentenceOf(error, 'That did not work. Please try again.')),
  })
  if (stopped === null) return null
  return (
    <div
      role="note"
      aria-label={`Automatic emails from ${address} stand still`}
      className="flex flex-wrap items-center gap-x-3 gap-y-2.5 rounded-lg border border-line bg-amber-soft px-4 py-2.5 text-amber"
    >
      <CirclePause aria-hidden className="size-4 shrink-0 max-sm:hidden" />
      <p className="min-w-0 grow basis-full wrap-anywhere sm:basis-60">
        <strong className="font-semibold">
          {headline ?? `Automatic emails from ${address} stand still.`}
        </strong>{' '}
        {stopped.reason} Look through your contacts&rsquo; addresses before you go on: mail servers take an
        address with such figures for one that sends spam.
      </p>
      <Button size="s" busy={goOn.isPending} onClick={() => goOn.mutate({ params: { id } })}>
        Go on
      </Button>
    </div>
  )
}
