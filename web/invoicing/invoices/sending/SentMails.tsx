import { CircleAlert, Eye, Mail, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { invoiceMail, type SentInvoiceMail } from '#contract/invoicing/invoice-mail.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { CustomerLink } from './CustomerLink.tsx'

type SentMailsProps = { invoice: Invoice; onSend: () => void }

/** How an issued document reached its customer: its mails, whether it was looked at, and the link to it. */
export function SentMails({ invoice, onSend }: SentMailsProps) {
  const query = useEndpoint(invoiceMail.mails, { params: { id: invoice.id } })
  // Reminders have a card of their own.
  const newest = query.data?.find(({ kind }) => kind === 'document')
  return (
    <Card title="Sending">
      <Loaded query={query} failed="Failed to load the emails" waiting={<Skeleton className="h-10" />}>
        {(mails) => (
          <ul aria-label="Sending" className="grid gap-3">
            {invoice.viewed_at === null ? null : (
              <Entry icon={<Eye aria-hidden className="size-4" />}>
                Viewed by the customer <When at={invoice.viewed_at} />
              </Entry>
            )}
            {mails.map((mail) => (
              <MailEntry key={mail.id} mail={mail} onSend={mail === newest ? onSend : null} />
            ))}
            {mails.length === 0 ? <li className="text-ink-2">Not sent by email yet.</li> : null}
          </ul>
        )}
      </Loaded>
      <CustomerLink invoice={invoice} />
    </Card>
  )
}

const ICONS = { waiting: Mail, sent: Mail, failed: CircleAlert, withdrawn: Undo2 }

/** One mail: to whom, when, and what became of it. Of the newest one with the document, `onSend` sends it again. */
function MailEntry({ mail, onSend }: { mail: SentInvoiceMail; onSend: (() => void) | null }) {
  const { state, reason, practice } = mail
  const Icon = ICONS[state]
  const canRepeat = onSend !== null && (state === 'failed' || state === 'withdrawn')
  return (
    <Entry icon={<Icon aria-hidden className="size-4" />} isWrong={state === 'failed'}>
      <MailLink mail={mail}>{wordsOf(mail)}</MailLink>
      {state === 'sent' ? (
        <>
          {' '}
          <When at={mail.at} />
        </>
      ) : null}
      {practice ? (
        <span className="block text-sm text-ink-2">In practice: nobody outside got it.</span>
      ) : null}
      {reason === null ? null : <span className="block text-sm wrap-anywhere text-ink-2">{reason}</span>}
      {canRepeat ? (
        <span className="mt-1.5 block">
          <Button size="s" onClick={onSend}>
            Send again
          </Button>
        </span>
      ) : null}
    </Entry>
  )
}

function wordsOf({ kind, state, to }: SentInvoiceMail): string {
  const what = kind === 'reminder' ? 'Reminder to' : 'Email to'
  if (state === 'waiting') return kind === 'reminder' ? `Sending a reminder to ${to}` : `Sending to ${to}`
  if (state === 'failed') return `${what} ${to} could not be sent`
  if (state === 'withdrawn') return `${what} ${to} was taken back`
  return kind === 'reminder' ? `Reminder sent to ${to}` : `Sent to ${to}`
}

/** Opens the mail where it is now; the words alone, once it is gone. */
function MailLink({
  mail: { email_id: id, is_draft: isDraft },
  children,
}: {
  mail: SentInvoiceMail
  children: string
}) {
  if (id === null) return <span className="wrap-anywhere">{children}</span>
  return (
    <Link
      to={`${paths.emails}?folder=${isDraft ? 'drafts' : 'sent'}&email=${id}`}
      className="rounded-sm wrap-anywhere hover:text-accent hover:underline"
    >
      {children}
    </Link>
  )
}

function Entry({
  icon,
  isWrong = false,
  children,
}: {
  icon: ReactNode
  isWrong?: boolean
  children: ReactNode
}) {
  return (
    <li className="flex items-start gap-2.5">
      <span className={isWrong ? 'mt-0.5 text-danger' : 'mt-0.5 text-ink-2'}>{icon}</span>
      <div className="min-w-0 flex-1">{children}</div>
    </li>
  )
}

function When({ at }: { at: string }) {
  const timeZone = useTimeZone()
  return (
    <span className="text-ink-2">
      on{' '}
      <time dateTime={at} className="whitespace-nowrap">
        {dateAndTime(new Date(at), timeZone)}
      </time>
    </span>
  )
}
