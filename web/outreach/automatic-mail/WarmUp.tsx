import { useQueryClient } from '@tanstack/react-query'
import { automaticMail, type AutomaticMailAccount } from '#contract/outreach/automatic-mail.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { StoppedAccount } from '#web/outreach/automatic-mail/StoppedAccounts.tsx'
import { Switch } from '#web/platform/ui/Switch.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** How many automatic mails an account may send, and why it stands still if it does. Nothing until that is known. */
export function WarmUp({ id }: { id: number }) {
  const { data } = useEndpoint(automaticMail.accounts)
  const account = data?.find((each) => each.id === id)
  if (account === undefined) return null
  return (
    <section aria-label="Automatic emails" className="flex flex-col gap-3 border-t border-line pt-4">
      <StoppedAccount account={account} />
      <WarmUpSwitch account={account} />
    </section>
  )
}

function WarmUpSwitch({ account }: { account: AutomaticMailAccount }) {
  const { id, ceiling, sent_today: sent } = account
  const client = useQueryClient()
  const save = useCommand(automaticMail.saveAccount, {
    onSuccess: () => toast.success('Setting saved'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to save the setting')),
  })
  // The switch shows what was clicked until the server's answer stands.
  const wanted = save.isPending ? save.variables?.body?.warm_up : undefined
  return (
    <div className="flex flex-col items-start gap-2">
      <Switch
        label="Warm up this address"
        help="Sends 20 automatic emails on the first day and half as many again each day after, so that a new address doesn’t look like spam. What you choose before a large run changes this setting, too."
        checked={wanted ?? account.warm_up}
        disabled={save.isPending}
        onChange={(event) =>
          save.mutate(
            { params: { id }, body: { warm_up: event.target.checked } },
            { onSettled: () => refresh(client, automaticMail.accounts) },
          )
        }
      />
      {account.warm_up ? (
        <p className="pl-12 text-sm tabular-nums">
          {ceiling === null
            ? 'This address is warmed up: there is no limit any more.'
            : `Today: ${sent} of ${ceiling} automatic emails.`}
        </p>
      ) : null}
    </div>
  )
}
