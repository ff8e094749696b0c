import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { briefs } from '#contract/outreach/briefs.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint, usePage } from '#web/platform/api/queries.ts'
import { outreachPaths } from '#web/outreach/runs/outreach-tabs.ts'
import { counted, isUnderWay } from '#web/outreach/runs/run-text.ts'
import { useCurrentRun } from '#web/outreach/runs/use-current-run.ts'
import { usePracticeMailbox } from '#web/mail/mailboxes/use-practice-mailbox.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'

/** What is still missing before mails can be sent. Hidden once nothing is missing and a mail has been sent. */
export function NextSteps() {
  const health = useEndpoint(emails.health)
  const people = usePage(contacts.list, { query: { page_size: 1 } })
  const counts = useEndpoint(emails.counts)
  const about = useEndpoint(briefs.get)
  const run = useCurrentRun()
  const practice = usePracticeMailbox()
  if (health.data === undefined || people.data === undefined || counts.data === undefined) return null
  const hasMailbox = health.data.configured
  const hasContacts = people.data.total > 0
  // The first mails are being sent: the run's own card shows the rest.
  if (isUnderWay(run.data)) return null
  if (hasMailbox && hasContacts && counts.data.delivered > 0) return null
  // Also shown to users who have sent mail before, but have since disconnected the mailbox or deleted all contacts.
  return (
    <Card title={hasMailbox && hasContacts ? 'Ready to send' : 'Next steps'}>
      <ol className="divide-y divide-line">
        <Step
          number={1}
          done={hasMailbox}
          title="A mailbox to send from"
          text={MAILBOX_TEXT}
          outcome={<Mailbox />}
        >
          <Link to={paths.profile} className={buttonClass('quiet', 's')}>
            Connect a mailbox
          </Link>
          <Button size="s" busy={practice.busy} onClick={practice.begin}>
            Use the practice mailbox
          </Button>
        </Step>
        <Step
          number={2}
          done={hasContacts}
          title="People to write to"
          text={CONTACTS_TEXT}
          outcome={counted(people.data.total, 'contact')}
        >
          <Link to={paths.contacts} className={buttonClass('quiet', 's')}>
            Add contacts
          </Link>
        </Step>
        <Step
          number={3}
          // Nobody has to: without it a general introduction is sent.
          done={about.data != null}
          title="What your emails are about"
          text={ABOUT_TEXT}
          outcome={
            <Link to={outreachPaths.aboutYou} className="text-accent hover:underline">
              Change
            </Link>
          }
        >
          <Link to={outreachPaths.aboutYou} className={buttonClass('quiet', 's')}>
            Tell Howl about you
          </Link>
        </Step>
        <Step number={4} done={false} title="An email for each of them" text={SEND_TEXT}>
          <Link to={outreachPaths.templates} className={buttonClass('quiet', 's')}>
            See templates
          </Link>
        </Step>
      </ol>
    </Card>
  )
}

const MAILBOX_TEXT =
  'Use your own account, or the practice mailbox, where nothing leaves Howl and invented people answer.'
const CONTACTS_TEXT = 'Add them one by one, or all at once from a CSV file.'
const ABOUT_TEXT =
  'Say once what you offer, to whom, and what to ask for. Without it, your emails only introduce you.'
const SEND_TEXT =
  'Generate & Send Emails, above, tells you how many people it will write to, and asks before it sends anything.'

type StepProps = {
  number: number
  done: boolean
  title: string
  text: string
  /** The result, once the step is done. */
  outcome?: ReactNode
  children?: ReactNode
}

/** The mailbox that mails will be sent from. */
function Mailbox() {
  const { data } = useEndpoint(mailboxes.get)
  if (data === undefined) return null
  return data.practice ? 'Practice mailbox' : data.smtp_from || data.smtp_username
}

function Step({ number, done, title, text, outcome, children }: StepProps) {
  return (
    <li className="flex gap-3 py-3 first:pt-0 last:pb-0">
      <span
        aria-hidden
        className={cx(
          'grid size-6 shrink-0 place-items-center rounded-full text-sm font-semibold tabular-nums',
          done ? 'bg-green-soft text-green' : 'bg-accent-soft text-accent',
        )}
      >
        {done ? <Check className="size-3.5" /> : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 pt-0.5">
          <p className={cx('font-medium', done && 'text-ink-2')}>
            {title}
            {done ? <span className="sr-only"> (done)</span> : null}
          </p>
          {done ? null : <p className="max-w-prose text-ink-2">{text}</p>}
        </div>
        {done ? <p className="min-w-0 pt-0.5 wrap-anywhere text-ink-2">{outcome}</p> : null}
        {done || children === undefined ? null : <div className="flex flex-wrap gap-2">{children}</div>}
      </div>
    </li>
  )
}
