import type { EmailDetail } from '#contract/mail/emails.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { fullTime } from '#web/platform/dates/mail-age.ts'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'

/** Only this many characters are shown; the whole text is sent. */
const SHOWN_MAX = 20_000

type OriginalMailProps = {
  original: { kind: 'quote' | 'forward'; mail: EmailDetail }
  included: boolean
  onInclude: (included: boolean) => void
}

/** The original mail of a reply or forward, below the user's own text. It cannot be edited. */
export function OriginalMail({ original: { kind, mail }, included, onInclude }: OriginalMailProps) {
  const timeZone = useTimeZone()
  const who = mail.sender
  return (
    <div className="rounded-md border border-line">
      <div className="px-3 py-2">
        <Checkbox
          label={kind === 'forward' ? 'Forward the original with its files' : 'Quote the original below'}
          checked={included}
          onChange={(event) => onInclude(event.target.checked)}
        />
      </div>
      {included ? (
        <details className="border-t border-line px-3 py-2 text-sm text-ink-2">
          <summary className="cursor-pointer">
            {who}, {fullTime(new Date(mail.timestamp), timeZone)}
          </summary>
          <p className="mt-2 max-h-60 overflow-y-auto wrap-anywhere whitespace-pre-wrap">
            {mail.content.slice(0, SHOWN_MAX)}
          </p>
          {kind === 'forward' && mail.attachments.length > 0 ? (
            <p className="mt-2">{mail.attachments.map(({ name }) => name).join(', ')}</p>
          ) : null}
        </details>
      ) : null}
    </div>
  )
}
