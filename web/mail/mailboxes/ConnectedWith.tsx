import { CircleAlert, CircleCheck } from 'lucide-react'
import type { AccountSettings } from '#contract/mail/mailboxes.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { type Probe, ProbeResult } from './ServerFields.tsx'

type ConnectedWithProps = {
  oauth: NonNullable<AccountSettings['oauth']>
  username: string
  probes: { smtp: Probe; imap: Probe } | null
  /** Shows the fields of both servers instead, to sign in by a password from then on. */
  onUsePassword: () => void
}

/** Stands in place of hosts and passwords where an account signs in at its provider. */
export function ConnectedWith({ oauth, username, probes, onUsePassword }: ConnectedWithProps) {
  // What the page says of a withdrawn consent needs no repetition.
  const shown = oauth.withdrawn ? null : probes
  const Icon = oauth.withdrawn ? CircleAlert : CircleCheck
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line p-4">
        <div className="flex min-w-0 items-start gap-2">
          <Icon
            aria-hidden
            className={`mt-0.5 size-5 shrink-0 ${oauth.withdrawn ? 'text-danger' : 'text-green'}`}
          />
          <div className="min-w-0">
            <p className="font-semibold">
              {oauth.withdrawn ? `No longer connected with ${oauth.name}` : `Connected with ${oauth.name}`}
            </p>
            <p className="text-sm wrap-anywhere text-ink-2">
              {oauth.withdrawn
                ? 'Your emails wait. Nothing of yours is lost.'
                : `Howl signs in as ${username}, without a password.`}
            </p>
          </div>
        </div>
        <Button variant="plain" onClick={onUsePassword} className="-mx-3">
          Use a password instead
        </Button>
      </div>
      <output aria-label="SMTP test" className="block empty:hidden">
        {shown === null ? null : <ProbeResult probe={shown.smtp} />}
      </output>
      <output aria-label="IMAP test" className="block empty:hidden">
        {shown === null ? null : <ProbeResult probe={shown.imap} />}
      </output>
    </div>
  )
}
