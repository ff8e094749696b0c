import { type AccountInput, mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import type { ApiError } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import type { SavedServers } from './email-form.ts'

/** The default account, a connected one by its id, or one that is still to be connected. */
export type SavedAccount = 'default' | 'new' | number

type Ends = { onSuccess: (saved: SavedServers) => void; onError: (error: ApiError) => void }

/** Saves an account by the call that is for it. */
export function useSaveAccount(account: SavedAccount, ends: Ends) {
  const options = { refreshes: [mailboxes.get, mailboxes.accounts, mailboxes.getAccount], ...ends }
  const ofDefault = useCommand(mailboxSetup.save, options)
  const added = useCommand(mailboxSetup.addAccount, options)
  const changed = useCommand(mailboxSetup.saveAccount, options)
  return {
    isPending: ofDefault.isPending || added.isPending || changed.isPending,
    start: (body: AccountInput) => {
      if (account === 'default') ofDefault.mutate({ body })
      else if (account === 'new') added.mutate({ body })
      else changed.mutate({ params: { id: account }, body })
    },
  }
}
