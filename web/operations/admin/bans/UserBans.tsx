import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Ban, BAN_REASON_LABELS, bans, BANS_PER_PAGE } from '#contract/operations/bans.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { pageChanges, pageOf, useListQuery } from '#web/platform/list-query.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { List } from '#web/platform/ui/List.tsx'
import { PreviousNext } from '#web/platform/ui/PreviousNext.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import type { Column } from '#web/platform/ui/Table.tsx'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { useAdminEndpoint } from '../admin-calls.ts'
import { AnswerDialog } from './AnswerDialog.tsx'
import { UnbanDialog } from './UnbanDialog.tsx'

const SHOWN = [
  { value: '', label: 'All bans' },
  { value: 'active', label: 'In force' },
  { value: 'appealed', label: 'Appeals to answer' },
  { value: 'expired', label: 'Expired' },
  { value: 'lifted', label: 'Lifted' },
] as const

type Asked = { ban: Ban; act: 'unban' | 'answer' }

/** Who is and was banned, why and until when, and what they say about it. */
export function UserBans() {
  const [query, change] = useListQuery()
  const { what: asked, turn, show, props } = useOpened<Asked>()
  const status = SHOWN.find(({ value }) => value === query.get('status'))?.value ?? ''
  const page = pageOf(query, 10_000)
  const result = useAdminEndpoint(bans.list, {
    query: { limit: BANS_PER_PAGE, page, ...(status === '' ? {} : { status }) },
    staleTime: 0,
  })
  const { data, isFetching, refetch } = result
  return (
    <>
      <Card flush>
        <div className="flex flex-wrap items-end justify-between gap-3 p-4">
          <Field label="Show" className="w-52">
            <Select
              options={SHOWN}
              value={status}
              onChange={(event) => change({ status: event.target.value })}
            />
          </Field>
          <Button
            icon={<RefreshCw aria-hidden className="size-4" />}
            busy={isFetching}
            onClick={() => void refetch()}
          >
            Refresh
          </Button>
        </div>
        <List
          label="Bans"
          query={result}
          failed="Failed to load bans"
          rows={data?.bans}
          keyOf={({ id }) => id}
          scrolls
          columns={{ ...COLUMNS, actions: actionsColumn(show) }}
          cardClass="flex-col gap-1.5 px-4 py-3"
          renderCard={(ban, { user, reason, status: word, actions }) => (
            <>
              <div className="flex items-start justify-between gap-3">
                {user}
                {word}
              </div>
              {reason}
              <p className="text-sm text-ink-2">
                {timeText(ban.banned_at)} {byWhom(ban)}
                <br />
                {ban.status === 'active' ? 'Ends' : 'Ended'}: {endText(ban)}
              </p>
              {actions}
            </>
          )}
          empty={
            page > 1 ? undefined : (
              <Nothing
                isFiltered={status !== ''}
                onClear={() => change({ status: undefined })}
                onBan={() => change({ section: 'actions' })}
              />
            )
          }
        />
        {page === 1 && data?.has_more !== true ? null : (
          <PreviousNext
            label="Pages of bans"
            page={page}
            hasMore={data?.has_more === true}
            onPage={(next) => change(pageChanges.page(next))}
          />
        )}
      </Card>
      {asked === null ? null : asked.act === 'unban' ? (
        <UnbanDialog key={turn} {...props} ban={asked.ban} />
      ) : (
        <AnswerDialog key={turn} {...props} ban={asked.ban} />
      )}
    </>
  )
}

function Nothing(props: { isFiltered: boolean; onClear: () => void; onBan: () => void }) {
  if (props.isFiltered)
    return (
      <EmptyState title="No bans of this kind" action={<Button onClick={props.onClear}>Show all</Button>} />
    )
  return (
    <EmptyState title="Nobody is banned" action={<Button onClick={props.onBan}>Ban a user</Button>}>
      Bans appear here, with what banned users say about them.
    </EmptyState>
  )
}

const COLUMNS = {
  user: {
    title: 'User',
    className: 'w-64',
    cellClass: 'max-w-64 py-2',
    render: (ban) => <Who ban={ban} />,
  },
  reason: { title: 'Reason', cellClass: 'py-2', render: (ban) => <Why ban={ban} /> },
  status: { title: 'Status', className: 'w-36', render: (ban) => <Status ban={ban} /> },
  banned: {
    title: 'Banned',
    className: 'w-52',
    cellClass: 'py-2 text-ink-2',
    render: (ban) => (
      <>
        <time dateTime={ban.banned_at} className="whitespace-nowrap">
          {timeText(ban.banned_at)}
        </time>
        <span className="block max-w-52 truncate text-sm">{byWhom(ban)}</span>
      </>
    ),
  },
  ends: { title: 'Ends', className: 'w-44', cellClass: 'whitespace-nowrap text-ink-2', render: endText },
} satisfies Record<string, Column<Ban>>

const actionsColumn = (onAct: (asked: Asked) => void): Column<Ban> => ({
  title: 'Actions',
  className: 'w-32',
  align: 'right',
  render: (ban) => <Acts ban={ban} onAct={onAct} />,
})

function Who({ ban }: { ban: Ban }) {
  return (
    <span className="block min-w-0">
      <span className="block font-medium wrap-anywhere">{ban.user_email}</span>
      <span className="block text-sm wrap-anywhere text-ink-2">
        {ban.user_name} · ID {ban.user_id}
      </span>
    </span>
  )
}

function Why({ ban }: { ban: Ban }) {
  return (
    <span className="block min-w-0">
      <span className="block">{BAN_REASON_LABELS[ban.reason]}</span>
      <Quoted>{ban.description}</Quoted>
      {ban.appeal_message === null ? null : <Quoted label="Appeal">{ban.appeal_message}</Quoted>}
      {ban.appeal_answer === null ? null : <Quoted label="Answer">{ban.appeal_answer}</Quoted>}
      {ban.unban_reason === null || ban.unban_reason === ban.appeal_answer ? null : (
        <Quoted label="Lifted">{ban.unban_reason}</Quoted>
      )}
    </span>
  )
}

/** Two lines at most; all of it where the pointer rests. */
function Quoted({ label, children }: { label?: string; children: string }) {
  return (
    <span title={children} className="line-clamp-2 text-sm wrap-anywhere text-ink-2">
      {label === undefined ? null : <span className="font-medium">{label}: </span>}
      {children}
    </span>
  )
}

const STATUSES: Record<Ban['status'], { tone: BadgeTone; word: string }> = {
  active: { tone: 'red', word: 'Active' },
  expired: { tone: 'gray', word: 'Expired' },
  lifted: { tone: 'green', word: 'Lifted' },
}
const hasOpenAppeal = (ban: Ban) =>
  ban.status === 'active' && ban.appeal_submitted_at !== null && ban.appeal_answered_at === null

function Status({ ban }: { ban: Ban }): ReactNode {
  const { tone, word } = STATUSES[ban.status]
  return (
    <span className="flex shrink-0 gap-1 max-md:flex-col max-md:items-end">
      <Badge tone={tone}>{word}</Badge>
      {hasOpenAppeal(ban) ? <Badge tone="amber">Appeal</Badge> : null}
    </span>
  )
}

function Acts({ ban, onAct }: { ban: Ban; onAct: (asked: Asked) => void }): ReactNode {
  if (ban.status !== 'active') return null
  return (
    <span className="flex flex-wrap gap-1.5 pt-1 md:justify-end md:pb-1">
      {hasOpenAppeal(ban) ? (
        <Button
          size="s"
          aria-label={`Answer the appeal of ${ban.user_email}`}
          onClick={() => onAct({ ban, act: 'answer' })}
        >
          Answer
        </Button>
      ) : null}
      <Button size="s" aria-label={`Unban ${ban.user_email}`} onClick={() => onAct({ ban, act: 'unban' })}>
        Unban
      </Button>
    </span>
  )
}

function byWhom(ban: Ban): string {
  if (ban.is_automatic) return 'by the rules of abuse'
  return ban.banned_by === null ? 'by a former administrator' : `by ${ban.banned_by}`
}

function endText({ status, expires_at: end, ended_at: ended }: Ban): string {
  if (status === 'lifted' && ended !== null) return timeText(ended)
  return end === null ? 'Permanent' : timeText(end)
}

function timeText(at: string): string {
  return dateAndTime(new Date(at), currentTimeZone())
}
