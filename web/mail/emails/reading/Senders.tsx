import type { Mailbox } from '#contract/formats/address-line.ts'
import type { Email } from '#contract/mail/emails.ts'
import { isOwnName, NO_SENDER, sendersOf, shownAddress, shownName } from '#contract/formats/shown-sender.ts'

/** Who a mail is from, with names and addresses; the address comes first where the name reads as another one. */
export function Senders({ mail }: { mail: Email }) {
  return sendersOf(mail).map((sender) => (
    <span key={`${sender.name} ${sender.address}`} className="block">
      <Sender sender={sender} />
    </span>
  ))
}

function Sender({ sender }: { sender: Mailbox }) {
  const name = shownName(sender.name)
  const address = sender.address === '' ? '' : shownAddress(sender.address)
  if (sender.name === '' && address !== '') return <bdi>{address}</bdi>
  if (isOwnName(sender)) {
    return (
      <>
        <bdi className="text-base font-medium text-ink">{name}</bdi> <bdi>{address || '(no address)'}</bdi>
      </>
    )
  }
  return (
    <>
      <bdi className="text-base font-medium text-ink">{address || NO_SENDER}</bdi>
      {name.trim() === '' ? null : (
        <>
          {address === '' ? ', only the name' : ' calls itself'} “<bdi>{name}</bdi>”
        </>
      )}
    </>
  )
}
