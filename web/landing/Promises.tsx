const promises = [
  ['Your own machine.', 'One command starts it. You register nowhere, and nobody else holds your contacts.'],
  ['Your own mailbox.', 'Mail leaves through your provider under your address, and replies come back to it.'],
  ['Never lost, never twice.', 'Every email is saved before it is sent, so a crash loses none.'],
  ['The model only proposes.', 'It drafts and suggests. Nothing is sent until you press Send.'],
] as const

/** What a careful buyer asks first. */
export function Promises() {
  return (
    <dl className="mx-auto grid max-w-300 gap-x-10 gap-y-8 px-4 py-20 sm:grid-cols-2 md:px-6 md:py-24 lg:grid-cols-4">
      {promises.map(([claim, why]) => (
        <div key={claim} className="border-t border-ink pt-3">
          <dt className="font-medium">{claim}</dt>
          <dd className="mt-1 text-ink-2">{why}</dd>
        </div>
      ))}
    </dl>
  )
}
