import { Link } from 'react-router'
import {
  type InvoiceReminders as Reminders,
  paymentReminders,
  type Reminder,
} from '#contract/invoicing/payment-reminders.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useMailWait } from '#web/mail/mailboxes/use-mail-wait.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Switch } from '#web/platform/ui/Switch.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { isOpen } from '../list/invoice-text.ts'
import { daysText, REMINDERS, STATE_WORDS, whenText } from './reminder-text.ts'
import { useReminderDialog } from './use-reminder-dialog.tsx'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'

/** The reminders of an issued invoice: what is going to leave, and what has left. */
export function InvoiceReminders({ invoice }: { invoice: Invoice }) {
  const { data, error } = useEndpoint(paymentReminders.ofInvoice, { params: { id: invoice.id } })
  if (error !== null)
    return (
      <Card title="Reminders">
        <p className="text-ink-2">{sentenceOf(error, 'Failed to load the reminders')}</p>
      </Card>
    )
  if (data === undefined || (data.reminders.length === 0 && !isOpen(invoice))) return null
  return (
    <Card title="Reminders">
      {data.on ? <Planned invoice={invoice} shown={data} /> : <Off shown={data} />}
    </Card>
  )
}

function Off({ shown }: { shown: Reminders }) {
  return (
    <>
      <p className="text-ink-2">
        Reminders are off.{' '}
        <Link to={paths.paymentReminders} className="rounded-sm text-accent hover:underline">
          Choose when customers are reminded
        </Link>
      </p>
      <List shown={shown} />
    </>
  )
}

function Planned({ invoice, shown }: { invoice: Invoice; shown: Reminders }) {
  const change = useCommand(paymentReminders.switchInvoice, {
    refreshes: REMINDERS,
    onError: (error) => toast.error(sentenceOf(error, 'Failed to change the reminders')),
  })
  const isOn = change.isPending ? change.variables.body?.on === true : shown.on_here
  return (
    <div className="flex flex-col gap-2">
      {isOpen(invoice) ? (
        <Switch
          label="Remind of this invoice"
          checked={isOn}
          onChange={({ target }) =>
            change.mutate({ params: { id: invoice.id }, body: { on: target.checked } })
          }
        />
      ) : null}
      {shown.reminders.length === 0 ? (
        <p className="text-ink-2">
          {invoice.sent_at === null
            ? 'Reminders are planned once the invoice has been sent by email.'
            : 'No reminder is to come: their days have passed.'}
        </p>
      ) : (
        <List shown={shown} />
      )}
    </div>
  )
}

function List({ shown: { reminders } }: { shown: Reminders }) {
  const timeZone = useTimeZone()
  const waits = useMailWait()
  const { show, dialog } = useReminderDialog(reminders)
  if (reminders.length === 0) return null
  return (
    <>
      <ul aria-label="Reminders" className="-mb-1">
        {reminders.map((reminder) => (
          <li
            key={reminder.id}
            className="flex items-start justify-between gap-2 border-b border-line py-2 last:border-0"
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium">{daysText(reminder.days)}</span>
                {reminder.state === 'upcoming' ? null : <ReminderBadge state={reminder.state} />}
              </p>
              <p className="text-sm wrap-anywhere text-ink-2">
                {reminder.reason ??
                  (reminder.state === 'upcoming' ? waits : null) ??
                  whenText(reminder.send_at, timeZone)}
              </p>
            </div>
            <Button size="s" aria-label={`Show, ${daysText(reminder.days)}`} onClick={() => show(reminder)}>
              Show
            </Button>
          </li>
        ))}
      </ul>
      {dialog}
    </>
  )
}

const TONES: Record<Reminder['state'], BadgeTone> = {
  upcoming: 'blue',
  waiting: 'amber',
  sent: 'green',
  skipped: 'gray',
  passed: 'gray',
  stopped: 'gray',
}

/** What became of a reminder, as a coloured word. */
function ReminderBadge({ state }: { state: Reminder['state'] }) {
  return <Badge tone={TONES[state]}>{STATE_WORDS[state]}</Badge>
}
