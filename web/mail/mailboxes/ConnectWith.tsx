import { KeyRound } from 'lucide-react'
import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { useConsent } from './use-consent.ts'

/** Connects a mailbox by signing in at its provider, where the operator has set that up; nothing otherwise. */
export function ConnectWith({ isSaved }: { isSaved: boolean }) {
  const { data: providers = [] } = useEndpoint(mailboxOauth.providers)
  const { asking, ask } = useConsent()
  if (providers.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-prose text-ink-2">
        {isSaved
          ? 'Instead of a password, this account can sign in at its provider.'
          : 'Without a password: sign in at your provider, and allow Howl to use your mailbox.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            icon={<KeyRound aria-hidden className="size-4" />}
            busy={asking === id}
            disabled={asking !== null && asking !== id}
            onClick={() => ask(id)}
          >
            {`Connect with ${name}`}
          </Button>
        ))}
      </div>
      {isSaved ? null : (
        <p className="flex items-center gap-3 text-sm text-ink-2 before:h-px before:w-6 before:bg-line after:h-px after:flex-1 after:bg-line">
          or with a password
        </p>
      )}
    </div>
  )
}
