import { Link } from 'react-router'
import { paymentReminders, type Reminder } from '#contract/invoicing/payment-reminders.ts'
import { useEndpoint, usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useMailWait } from '#web/mail/mailboxes/use-mail-wait.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { InvoiceNav } from '../InvoiceNav.tsx'
import { customerText, invoicePath } from '../list/invoice-text.ts'
import { RemindersCard } from './RemindersCard.tsx'
import { daysText, whenText } from './reminder-text.ts'
import { useReminderDialog } from './use-reminder-dialog.tsx'

const SHOWN = 50

/** When customers are reminded of unpaid invoices, and what is going to leave. */
export function RemindersPage() {
  const timeZone = useTimeZone()
  return (
    <>
      <PageHeader title="Payment reminders" note={`Times are in ${timeZone.replaceAll('_', ' ')}`} />
      <InvoiceNav />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="Upcoming reminders">
          <Upcoming />
        </Card>
        <RemindersCard />
      </div>
    </>
  )
}

function Upcoming() {
  const settings = useEndpoint(paymentReminders.settings)
  const query = usePage(paymentReminders.list, { query: { page_size: SHOWN } })
  return (
    <Loaded query={query} failed="Failed to load reminders" waiting={<Skeleton className="h-32" />}>
      {({ rows, total }) =>
        total > 0 ? (
          <Rows reminders={rows} total={total} />
        ) : (
          <EmptyState title="No reminder is to come">
            {settings.data?.on === true
              ? 'Reminders of invoices that were sent by email appear here at least a day before they leave.'
              : 'Reminders are off. Once they are on, each appears here at least a day before it leaves.'}
          </EmptyState>
        )
      }
    </Loaded>
  )
}

function Rows({ reminders, total }: { reminders: readonly Reminder[]; total: number }) {
  const timeZone = useTimeZone()
  const waits = useMailWait()
  const { show, dialog } = useReminderDialog(reminders)
  return (
    <>
      <ul aria-label="Upcoming reminders" className="-my-1">
        {reminders.map((reminder) => (
          <li
            key={reminder.id}
            className="flex items-start justify-between gap-3 border-b border-line py-2.5 last:border-0"
          >
            <div className="min-w-0">
              <p className="flex min-w-0 flex-wrap gap-x-2">
                <bdi className="min-w-0 truncate font-medium">{customerText(reminder.customer)}</bdi>
                <Link
                  to={invoicePath(reminder.invoice_id)}
                  className="rounded-sm text-ink-2 hover:text-accent hover:underline"
                >
                  {reminder.number}
                </Link>
              </p>
              <p className="text-sm text-ink-2">
                {waits ?? whenText(reminder.send_at, timeZone)}, {daysText(reminder.days)}
              </p>
            </div>
            <Button
              size="s"
              aria-label={`Show, ${reminder.number}, ${daysText(reminder.days)}`}
              onClick={() => show(reminder)}
            >
              Show
            </Button>
          </li>
        ))}
      </ul>
      {total > reminders.length ? (
        <p className="pt-3 text-sm text-ink-2">
          And {(total - reminders.length).toLocaleString('en')} later ones, on the pages of their invoices.
        </p>
      ) : null}
      {dialog}
    </>
  )
}
