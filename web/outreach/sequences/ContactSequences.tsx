import { Link } from 'react-router'
import type { Contact } from '#contract/crm/contacts.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { comingTime } from '#web/platform/dates/coming-time.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { sequencePath } from './sequence-path.ts'
import { MEMBER_WORDS } from './sequence-text.ts'
import { actsFor, useMemberActs } from './use-member-acts.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'

type Membership = ReplyOf<typeof sequences.ofContact>[number]

/** The sequences of a contact, on the contact's page; nothing without any. */
export function ContactSequences({ contact }: { contact: Pick<Contact, 'id'> }) {
  const { data = [] } = useEndpoint(sequences.ofContact, { params: { id: contact.id } })
  if (data.length === 0) return null
  return (
    <Card title="Sequences">
      <ul aria-label="Sequences" className="flex flex-col gap-3.5">
        {data.map((each) => (
          <Row key={each.member.id} membership={each} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ membership }: { membership: Membership }) {
  const timeZone = useTimeZone()
  const { sequence, sequence_id: id, sequence_state: sequenceState, next, member } = membership
  const { act, isActing } = useMemberActs(id)
  const { word, tone } = MEMBER_WORDS[member.state]
  const isWaiting = member.state === 'active' && sequenceState !== 'running'
  const why = isWaiting
    ? sequenceState === 'draft'
      ? 'The sequence has not begun.'
      : 'The sequence is paused.'
    : (member.why ?? '')
  return (
    <li className="flex flex-col gap-1">
      <div className="flex items-start justify-between gap-2">
        <Link
          to={sequencePath(id)}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:text-accent hover:underline"
        >
          {sequence}
        </Link>
        <Badge tone={tone}>{word}</Badge>
      </div>
      {next === null ? null : (
        <p className="text-sm wrap-anywhere">
          Next: {next}
          {member.next_at === null || isWaiting ? '' : `, ${comingTime(member.next_at, timeZone)}`}
        </p>
      )}
      {why === '' ? null : <p className="text-sm wrap-anywhere text-ink-2">{why}</p>}
      <div className="flex flex-wrap gap-1.5">
        {actsFor(member)
          .filter(({ act: which }) => which !== 'next')
          .map(({ act: which, label }) => (
            <Button
              key={which}
              size="s"
              disabled={isActing}
              aria-label={`${label}: ${sequence}`}
              onClick={() => act(which, [member.id])}
            >
              {label}
            </Button>
          ))}
      </div>
    </li>
  )
}
