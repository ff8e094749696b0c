import type { Brief } from '#contract/outreach/briefs.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'

type EarlierVersionsProps = {
  /** Newest first, without the one in use. */
  versions: readonly Brief[]
  /** Something is being saved, or is still to be. */
  disabled: boolean
  onUse: (version: Brief) => void
}

/** What the form said before; each can be used again. */
export function EarlierVersions({ versions, disabled, onUse }: EarlierVersionsProps) {
  const timeZone = useTimeZone()
  if (versions.length === 0) return null
  return (
    <Card title="Earlier versions">
      <ul aria-label="Earlier versions" className="-my-1">
        {versions.map((each) => {
          const when = dateAndTime(new Date(each.made_at), timeZone)
          return (
            <li
              key={each.version}
              className="flex items-start justify-between gap-3 border-b border-line py-2.5 last:border-0"
            >
              <div className="min-w-0">
                <p className="line-clamp-2 wrap-anywhere">{each.offer}</p>
                <p className="text-sm text-ink-2">{when}</p>
              </div>
              <Button
                size="s"
                disabled={disabled}
                aria-label={`Use this again, version of ${when}`}
                onClick={() => onUse(each)}
              >
                Use this again
              </Button>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
