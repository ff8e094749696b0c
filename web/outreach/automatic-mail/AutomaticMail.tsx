import { Link } from 'react-router'
import { automaticMail, type ContactAutomaticMail } from '#contract/outreach/automatic-mail.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { comingTime } from '#web/platform/dates/coming-time.ts'
import { paths } from '#web/platform/paths.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'

/** Why a contact is not being mailed, and what happens next. */
export function AutomaticMail({ id, name }: { id: number; name: string }) {
  const query = useEndpoint(automaticMail.ofContact, { params: { id } })
  return (
    <Card title="Automatic Emails">
      <Loaded
        query={query}
        failed={(error) => sentenceOf(error, 'Failed to load what is planned')}
        waiting={<Skeleton className="h-16 w-full" />}
      >
        {(answer) => <Answer answer={answer} name={name} />}
      </Loaded>
    </Card>
  )
}

function Answer({
  answer: { last, why_none: why, next },
  name,
}: {
  answer: ContactAutomaticMail
  name: string
}) {
  const timeZone = useTimeZone()
  return (
    <dl className="flex flex-col gap-3">
      <div>
        <dt className="text-sm text-ink-2">Last</dt>
        <dd className="wrap-anywhere">
          {last === null ? `Howl has sent ${name} nothing by itself so far.` : last.sentence}{' '}
          {last?.email_id == null ? null : (
            <Link to={`${paths.emails}?folder=sent&email=${last.email_id}`} className="text-link">
              Open email
            </Link>
          )}
        </dd>
      </div>
      {why.length === 0 ? null : (
        <div>
          <dt className="text-sm text-ink-2">Why none now</dt>
          {why.map(({ kind, sentence }) => (
            <dd key={kind} className="mt-1 first-of-type:mt-0 wrap-anywhere">
              {sentence}
            </dd>
          ))}
        </div>
      )}
      <div>
        <dt className="text-sm text-ink-2">Next</dt>
        <dd className="wrap-anywhere">
          {next === null ? (
            'Nothing is planned.'
          ) : (
            <>
              {next.at === null ? null : (
                <span className="font-medium">{comingTime(next.at, timeZone)}: </span>
              )}
              {next.sentence}
            </>
          )}
        </dd>
      </div>
    </dl>
  )
}
