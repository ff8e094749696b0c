import { automaticMail, type AutomaticMailAccount } from '#contract/outreach/automatic-mail.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'

/** Finds the account that something is sent from (null: the default one) if its automatic emails stand still; else undefined. */
export type StoppedAccountFinder = (mailboxId: number | null) => AutomaticMailAccount | undefined

/** Which of the user's accounts stand still because of their figures. In practice nothing is sent from them. */
export function useStoppedAccount(): StoppedAccountFinder {
  const { data = [] } = useEndpoint(automaticMail.accounts)
  const { data: mailbox } = useEndpoint(mailboxes.get)
  const accounts = mailbox?.practice === true ? [] : data
  return (mailboxId) =>
    accounts.find(
      (account) =>
        account.stopped !== null && (mailboxId === null ? account.default : account.id === mailboxId),
    )
}
