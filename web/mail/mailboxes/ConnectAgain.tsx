import { type MailAccount, mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { useConsent } from './use-consent.ts'

type Account = Pick<MailAccount, 'id' | 'address' | 'oauth'>

/** Asks for consent again where it was withdrawn; nothing otherwise. */
export function ConnectAgain({ account, isOnly = false }: { account: Account; isOnly?: boolean }) {
  const { asking, ask } = useConsent()
  const { id, address, oauth } = account
  if (oauth?.withdrawn !== true) return null
  return (
    <Button
      variant="primary"
      aria-label={isOnly ? undefined : `Connect again: ${address}`}
      busy={asking !== null}
      onClick={() => ask(oauth.provider, id)}
      className="self-start"
    >
      Connect again
    </Button>
  )
}

/** The same for the account whose form stands open. */
export function ConnectDefaultAgain() {
  const { data = [] } = useEndpoint(mailboxes.accounts)
  const account = data.find((each) => each.default && each.connected)
  return account === undefined ? null : <ConnectAgain account={account} isOnly />
}
