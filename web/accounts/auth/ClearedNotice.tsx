/** As the answer to a new password tells it. */
export type ClearedSetup = { cleared?: string[] | undefined; printed?: boolean | undefined }

/** What a new password has cleared of an account that somebody else may have set up. `printed`: the list was not emailed. */
export function ClearedNotice({ cleared, printed }: Required<ClearedSetup> & { cleared: string[] }) {
  return (
    <section aria-labelledby="cleared" className="mb-5 flex flex-col gap-2 rounded-md bg-sunken px-4 py-3">
      <h2 id="cleared" className="font-semibold">
        Your password is set
      </h2>
      <p>
        Nobody had confirmed your email address while signed in, so somebody else may have set up this
        account. To be safe, Howl changed this:
      </p>
      <ul className="list-disc pl-5 wrap-anywhere">
        {cleared.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <p>
        Contacts, emails, templates and invoices are still there. Before you use them, check your signature,
        your links and the bank account on your invoices.
      </p>
      <p className="text-ink-2">
        {printed === true ? '' : 'We’ve also emailed you this list. '}If you set up the account yourself,
        reconnect what you need.
      </p>
    </section>
  )
}
