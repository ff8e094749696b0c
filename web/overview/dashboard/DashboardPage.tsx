import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import type { Todo } from '#contract/crm/todos.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { StoppedAccounts } from '#web/outreach/automatic-mail/StoppedAccounts.tsx'
import { GenerateAndSend } from '#web/outreach/runs/GenerateAndSend.tsx'
import { RunProgress } from '#web/outreach/runs/RunProgress.tsx'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Activity } from './Activity.tsx'
import { CountrySelect } from './CountrySelect.tsx'
import { MeetingReminders } from './MeetingReminders.tsx'
import { NextSteps } from './NextSteps.tsx'
import { RecentContacts } from './RecentContacts.tsx'
import { RecentEmails } from './RecentEmails.tsx'
import { StatCards } from './StatCards.tsx'
import { Today } from './Today.tsx'
import { TodosPanel } from '#web/crm/todos/TodosPanel.tsx'
import { useNow } from '#web/platform/ui/use-now.ts'

/** Ages of mails and "upcoming" are exact to the minute. */
const TICK_MS = 30_000

/** The dashboard: headline figures, the current run, and the latest contacts, mails and meetings. */
export function DashboardPage() {
  const now = useNow(TICK_MS)
  const place = useRef<HTMLDivElement>(null)
  const tasks = useTasksShown()
  const showDue = () => {
    tasks.showDue()
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <>
      <PageHeader
        title="Dashboard"
        note={<Welcome />}
        actions={
          <>
            <CountrySelect />
            <Link to={paths.outreach} className={cx(buttonClass(), 'max-sm:w-full')}>
              Outreach
            </Link>
            <GenerateAndSend />
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <StoppedAccounts />
        <RunProgress />
        <NextSteps />
        <Today onTasks={showDue} />
        <StatCards now={now} />
        <Activity />
        <div className="grid gap-4 lg:grid-cols-2">
          <div ref={place} tabIndex={-1} className="min-w-0 scroll-mt-(--head-height,4rem) outline-none">
            <TodosPanel key={tasks.turn} now={now} startsWith={tasks.startsWith} opens={tasks.opens} />
          </div>
          <MeetingReminders now={now} />
          <RecentContacts />
          <RecentEmails now={now} />
        </div>
      </div>
    </>
  )
}

/** What the task panel shows if another part of the app asked for it: the tasks that are due, or one task, opened. */
function useTasksShown() {
  const { state, pathname } = useLocation() as { state: { task?: Todo } | null; pathname: string }
  const navigate = useNavigate()
  // A new `turn` is the key of a new panel, which starts over.
  const [shown, setShown] = useState<TasksShown>({ turn: 0, opens: null, startsWith: 'all' })
  const showDue = () => setShown(({ turn }) => ({ turn: turn + 1, opens: null, startsWith: 'due' }))
  const given = state?.task
  if (given !== undefined && given !== shown.opens)
    setShown(({ turn }) => ({ turn: turn + 1, opens: given, startsWith: 'all' }))
  useEffect(() => {
    // Removed from the history, so that a reload does not open the task again in its old state.
    if (given !== undefined) void navigate(pathname, { replace: true, state: null })
  }, [given, navigate, pathname])
  return { ...shown, showDue }
}

type TasksShown = { turn: number; opens: Todo | null; startsWith: 'all' | 'due' }

function Welcome() {
  const { user } = useSession()
  const timeZone = useTimeZone()
  const { data: mailbox } = useEndpoint(mailboxes.get)
  return (
    <p>
      Welcome, {user?.name}. Times are in {timeZone.replaceAll('_', ' ')}.{' '}
      {mailbox?.practice === true ? (
        <Link to={paths.profile} className="text-link inline-block">
          You are practising: everything you send stays inside Howl.
        </Link>
      ) : null}
    </p>
  )
}
