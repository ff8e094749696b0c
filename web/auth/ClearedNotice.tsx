/** What a new password has cleared of an account that somebody else may have set up. */
export function ClearedNotice({ cleared }: { cleared: readonly string[] }) {
  return (
    <section aria-labelledby="cleared" className="mb-5 flex flex-col gap-2 rounded-md bg-sunken px-4 py-3">
      <h2 id="cleared" className="font-semibold">
        Your password is set
      </h2>
      <p>
        Nobody had confirmed your email address before, so somebody else may have set up this account. To be
        safe, Howl changed this:
      </p>
      <ul className="list-disc pl-5 wrap-anywhere">
        {cleared.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <p className="text-ink-2">
        We’ve emailed you this list. If you set up the account yourself, reconnect what you need.
      </p>
    </section>
  )
}
