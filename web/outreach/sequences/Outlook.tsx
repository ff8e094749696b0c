import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useState } from 'react'
import { ENROL_MAX, type Sequence, type SequenceProblem, sequences } from '#contract/sequences.ts'
import { call } from '#web/api/call.ts'
import { queryKeyOf } from '#web/api/queries.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { dayAfter, zonedDay } from '#web/dates/zoned-day.ts'
import { BandChart } from '#web/ui/BandChart.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { counted } from '../run-text.ts'
import { NumberInput } from './NumberInput.tsx'
import { longDay } from './sequence-text.ts'

type Outlined = Pick<Sequence, 'id' | 'steps' | 'updated_at' | 'members'>
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
  const { data, error, refetch, isFetching } = useCheck(sequence)
  if (data === undefined && error !== null)
    return <ErrorState message="Failed to check it" onRetry={() => void refetch()} busy={isFetching} />
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

/** How many mails leave on which day, for a number of people that can be chosen. */
export function Forecast({ sequence }: { sequence: Outlined }) {
  const waiting = sequence.members.active + sequence.members.paused
  const [chosen, setChosen] = useState<number | null>(null)
  const members = chosen ?? (waiting === 0 ? PEOPLE : Math.min(waiting, ENROL_MAX))
  const isUsable = members >= 1 && members <= ENROL_MAX
  return (
    <div className="flex flex-col gap-3">
      <Field
        label="For how many contacts"
        error={isUsable ? undefined : `From 1 to ${ENROL_MAX.toLocaleString('en')}, please.`}
      >
        <NumberInput value={members} onChange={setChosen} />
      </Field>
      {isUsable ? <ForecastChart sequence={sequence} members={members} /> : null}
    </div>
  )
}

function ForecastChart({ sequence, members }: { sequence: Outlined; members: number }) {
  const timeZone = useTimeZone()
  const { id, updated_at: saved } = sequence
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [...queryKeyOf(sequences.forecast, 'reply', { params: { id } }), saved, members, timeZone],
    queryFn: ({ signal }) => call(sequences.forecast, { params: { id }, body: { members }, signal }),
  })
  if (data === undefined && error !== null)
    return (
      <ErrorState
        message="Failed to work out the forecast"
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    )
  if (data === undefined) return <Skeleton className="h-24" />
  if (data.mails === 0) return <p className="text-ink-2">No email leaves: there is no step with one.</p>
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
        ends={[longDay(first.day), longDay(last.day)]}
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
          ? `The last email leaves about ${longDay(zonedDay(new Date(data.last_at), timeZone))}, if it begins now and nobody replies.`
          : 'It takes longer than can be foreseen.'}
        {data.limited_by === null ? null : ` ${LIMIT_WORDS[data.limited_by]}`}
      </figcaption>
    </figure>
  )
}

const LIMIT_WORDS = {
  warm_up: 'The address is new and begins with few emails a day, which makes it longer.',
  pace: 'The account sends so many emails an hour at most, which makes it longer.',
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
