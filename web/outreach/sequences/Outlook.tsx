import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useState } from 'react'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { ENROL_MAX, type Sequence, type SequenceProblem, sequences } from '#contract/outreach/sequences.ts'
import { call } from '#web/platform/api/call.ts'
import { queryKeyOf, useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useMailWait } from '#web/mail/mailboxes/use-mail-wait.ts'
import { useStoppedAccount } from '#web/outreach/automatic-mail/use-stopped-account.ts'
import { dayAfter, zonedDay } from '#web/platform/dates/zoned-day.ts'
import { BandChart } from '#web/platform/ui/BandChart.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { counted } from '../runs/run-text.ts'
import { countWithGap } from './edit-steps.ts'
import { NumberInput } from './NumberInput.tsx'
import { longDay } from './sequence-text.ts'

type Outlined = Pick<Sequence, 'id' | 'steps' | 'updated_at' | 'members'>
type Foreseen = Pick<Sequence, 'id' | 'state' | 'mailbox_id' | 'updated_at' | 'members' | 'sent'>
const PEOPLE = 100
/** A longer time is drawn by its first days. */
const DAYS_SHOWN = 400

/** What hinders the start of a sequence as it is saved, and what could be better. */
export function useCheck(sequence: Outlined) {
  const { id, updated_at: saved, members } = sequence
  return useQuery({
    queryKey: [...queryKeyOf(sequences.check, 'reply', { params: { id } }), saved, members.active],
    queryFn: ({ signal }) => call(sequences.check, { params: { id }, body: {}, signal }),
  })
}

/** The findings of the check; a step that is named can be opened. */
export function CheckList({ sequence, onStep }: { sequence: Outlined; onStep?: (id: number) => void }) {
  const query = useCheck(sequence)
  const { data, error } = query
  if (data === undefined && error !== null) return <LoadFailed query={query} message="Failed to check it" />
  if (data === undefined) return <Skeleton className="h-10" />
  return (
    <ul aria-label="Check" className="flex flex-col gap-2">
      {data.problems.map((problem) => (
        <Finding
          key={`${problem.step} ${problem.message}`}
          problem={problem}
          place={sequence.steps.findIndex(({ id }) => id === problem.step)}
          {...(onStep === undefined ? {} : { onStep })}
        />
      ))}
      {data.problems.length > 0 ? null : (
        <li className="flex gap-2">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-green" />
          Nothing stands in the way.
        </li>
      )}
    </ul>
  )
}

type FindingProps = { problem: SequenceProblem; place: number; onStep?: (id: number) => void }

function Finding({ problem, place, onStep }: FindingProps) {
  const { kind, step, message, contacts, names } = problem
  const Icon = kind === 'stop' ? CircleAlert : Info
  const others = contacts - names.length
  return (
    <li className="flex gap-2">
      <Icon
        aria-hidden
        className={cx('mt-0.5 size-4 shrink-0', kind === 'stop' ? 'text-danger' : 'text-amber')}
      />
      <span className="min-w-0 wrap-anywhere">
        {step === null || place === -1 ? null : onStep === undefined ? (
          `Step ${place + 1}: `
        ) : (
          <>
            <button type="button" className="text-link" onClick={() => onStep(step)}>
              Step {place + 1}
            </button>
            :{' '}
          </>
        )}
        {message}
        {names.length === 0 ? null : (
          <span className="block text-sm text-ink-2">
            {names.join(', ')}
            {others > 0 ? ` and ${others.toLocaleString('en')} more` : ''}
          </span>
        )}
      </span>
    </li>
  )
}

/** How many mails leave on which day: of a draft for a number of people that can be chosen, otherwise to those under way. */
export function Forecast({ sequence }: { sequence: Foreseen }) {
  const { active } = sequence.members
  const [chosen, setChosen] = useState<number | null>(null)
  if (sequence.state !== 'draft') return <ForecastChart sequence={sequence} members={null} />
  const members = chosen ?? (active === 0 ? PEOPLE : Math.min(active, ENROL_MAX))
  const isUsable = members >= 1 && members <= ENROL_MAX
  return (
    <div className="flex flex-col gap-3">
      <Field
        label="For how many contacts"
        error={isUsable ? undefined : `From 1 to ${ENROL_MAX.toLocaleString('en')}, please.`}
      >
        <NumberInput value={members} onChange={setChosen} />
      </Field>
      {isUsable ? <ForecastChart sequence={sequence} members={members === active ? null : members} /> : null}
    </div>
  )
}

/** What a sequence that has begun still sends to those who are in it. */
export function StillToCome({ sequence }: { sequence: Foreseen }) {
  if (sequence.members.active === 0 || sequence.state === 'ended') return null
  return (
    <Card title="Still to come">
      <ForecastChart sequence={sequence} members={null} />
    </Card>
  )
}

function ForecastChart({ sequence, members }: { sequence: Foreseen; members: number | null }) {
  const timeZone = useTimeZone()
  const stopped = useStoppedAccount()(sequence.mailbox_id)
  const waits = useMailWait()
  const { id, state, updated_at: saved, sent } = sequence
  const path = { params: { id } }
  const { data: figures } = useEndpoint(sequences.figures, { ...path, enabled: state !== 'draft' })
  const withGap = countWithGap(figures)
  const query = useQuery({
    // What is foreseen changes with everybody who comes in or leaves, and with each mail.
    queryKey: [
      ...queryKeyOf(sequences.forecast, 'reply', path),
      saved,
      sequence.members,
      sent,
      members,
      timeZone,
    ],
    queryFn: ({ signal }) =>
      call(sequences.forecast, { ...path, body: members === null ? {} : { members }, signal }),
    placeholderData: keepPreviousData,
  })
  const { data, error } = query
  if (data === undefined && error !== null)
    return <LoadFailed query={query} message="Failed to work out the forecast" />
  if (data === undefined) return <Skeleton className="h-24" />
  if (data.mails === 0)
    return (
      <p className="text-ink-2">
        {state === 'draft'
          ? 'No email leaves: there is no step with one.'
          : `Nobody ${withGap === 0 ? 'who is in it' : 'else'} has an email before them.`}
        {gapText(withGap)}
      </p>
    )
  const days = everyDay(data.days)
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return null
  const mails = counted(data.mails, 'email')
  return (
    <figure aria-label="Forecast" className="flex flex-col gap-2">
      <BandChart
        period="Day"
        spoken={(at) => {
          const day = days[at]
          return day === undefined ? '' : `${longDay(day.day)}: ${counted(day.mails, 'email')}`
        }}
        ends={first === last ? [longDay(first.day), ''] : [longDay(first.day), longDay(last.day)]}
        bands={[
          {
            key: 'mails',
            label: 'Emails',
            figure: data.mails.toLocaleString('en'),
            described: `${mails} from ${longDay(first.day)} to ${longDay(last.day)}`,
            bar: 'fill-accent',
            values: days.map((day) => day.mails),
          },
        ]}
      />
      <figcaption className="text-sm text-ink-2">
        {data.complete && data.last_at !== null
          ? `The last email leaves about ${longDay(zonedDay(new Date(data.last_at), timeZone))}${IF_WORDS[waits !== null && state === 'running' ? 'paused' : state]}`
          : 'It takes longer than can be foreseen.'}
        {limitText(data)}
        {gapText(withGap)}
        {waits === null ? null : ` ${waits}.`}
        {stopped === undefined
          ? null
          : ` Nothing leaves while the automatic emails from ${stopped.address} stand still.`}
      </figcaption>
    </figure>
  )
}

const IF_WORDS = {
  draft: ', if it begins now and nobody replies.',
  running: ', if nobody replies.',
  paused: ', if it goes on now and nobody replies.',
  ended: '.',
}

/** Nobody knows when a gap is filled in. */
const gapText = (withGap: number) =>
  withGap === 0
    ? ''
    : ` ${counted(withGap, 'contact')} with a gap in the email ${withGap === 1 ? 'is' : 'are'} not counted.`

/** What makes it longer, and who else sends through the account. */
function limitText({ limited_by: by, others }: ReplyOf<typeof sequences.forecast>): string {
  const sharing = `Other sequences send ${counted(others, 'email')} through the same account until then`
  if (by === null) return ''
  const limit =
    by === 'warm_up'
      ? 'The address is being warmed up and sends few emails a day at first, which makes it longer.'
      : 'The account sends so many emails an hour at most, which makes it longer.'
  return others === 0 ? ` ${limit}` : ` ${limit} ${sharing}.`
}

/** The days of a forecast with those between that have no mail. */
function everyDay(days: readonly { day: string; mails: number }[]): { day: string; mails: number }[] {
  const mailsOn = new Map(days.map(({ day, mails }) => [day, mails]))
  const last = days.at(-1)?.day ?? ''
  const all: { day: string; mails: number }[] = []
  for (
    let day = days[0]?.day ?? '';
    day !== '' && day <= last && all.length < DAYS_SHOWN;
    day = dayAfter(day)
  )
    all.push({ day, mails: mailsOn.get(day) ?? 0 })
  return all
}
