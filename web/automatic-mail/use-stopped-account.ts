import { automaticMail, type AutomaticMailAccount } from '#contract/automatic-mail.ts'
import { useEndpoint } from '#web/api/queries.ts'

/** Finds the account that something is sent from (null: the default one) if its automatic emails stand still; else undefined. */
export type StoppedAccountFinder = (mailboxId: number | null) => AutomaticMailAccount | undefined

/** Which of the user's accounts stand still because of their figures. */
export function useStoppedAccount(): StoppedAccountFinder {
  const { data = [] } = useEndpoint(automaticMail.accounts)
  return (mailboxId) =>
    data.find(
      (account) =>
        account.stopped !== null && (mailboxId === null ? account.default : account.id === mailboxId),
    )
}
