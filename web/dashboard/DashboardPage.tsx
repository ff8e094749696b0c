import { Link } from 'react-router'
import { mailboxes } from '#contract/mailboxes.ts'
import { useEndpoint } from '#web/api/queries.ts'
import { useSession } from '#web/auth/session.tsx'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { GenerateAndSend } from '#web/outreach/GenerateAndSend.tsx'
import { RunProgress } from '#web/outreach/RunProgress.tsx'
import { paths } from '#web/paths.ts'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { CountrySelect } from './CountrySelect.tsx'
import { NextSteps } from './NextSteps.tsx'
import { RecentContacts } from './RecentContacts.tsx'
import { RecentEmails } from './RecentEmails.tsx'
import { StatCards } from './StatCards.tsx'
import { TodosPanel } from '#web/todos/TodosPanel.tsx'
import { useNow } from '#web/ui/use-now.ts'

/** Ages of mails and "upcoming" are told to the minute. */
const TICK_MS = 30_000

/** What matters today: the numbers, the run that is under way, who and what came last. */
export function DashboardPage() {
  const now = useNow(TICK_MS)
  return (
    <>
      <PageHeader
        title="Dashboard"
        note={<Welcome />}
        actions={
          <>
            <CountrySelect />
            <GenerateAndSend />
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <RunProgress />
        <NextSteps />
        <StatCards now={now} />
        <TodosPanel now={now} />
        <div className="grid gap-4 lg:grid-cols-2">
          <RecentContacts />
          <RecentEmails now={now} />
        </div>
      </div>
    </>
  )
}

function Welcome() {
  const { user } = useSession()
  const timeZone = useTimeZone()
  const { data: mailbox } = useEndpoint(mailboxes.get)
  return (
    <p>
      Welcome, {user?.name}. Times are in {timeZone.replaceAll('_', ' ')}.{' '}
      {mailbox?.practice === true ? (
        <Link to={paths.profile} className="text-link inline-block">
          You are practising: no mail leaves Howl.
        </Link>
      ) : null}
    </p>
  )
}
