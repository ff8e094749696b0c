import { Paperclip, Star } from 'lucide-react'
import { Link } from 'react-router'
import type { Email } from '#contract/emails.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { deliveryWords } from '#web/email-text/delivery-words.ts'
import { ageClass, type AgeClass, dateAndTime, fullTime, mailAge } from '#web/email-text/mail-age.ts'
import { cx } from '#web/ui/cx.ts'
import { DeliveryBadge, IntentBadge } from './MailBadges.tsx'
import type { MailPlace } from './mail-address.ts'
import { isOutgoing } from './outgoing.ts'

/** What is new shows by its age too. */
const AGE_LOOKS: Record<AgeClass, string> = {
  'very-recent': 'text-moon font-medium',
  recent: 'text-ink',
  'this-week': 'text-ink-2',
  'this-month': 'text-ink-2',
  old: 'text-ink-2',
}

/** A mail in the list: who, when, what about, how it begins, and what is worth a word. */
export function MailRow({ mail, place, now }: { mail: Email; place: MailPlace; now: Date }) {
  const timeZone = useTimeZone()
  const outgoing = isOutgoing(mail)
  const unread = !mail.isRead && !outgoing
  const delivery = deliveryWords(mail.delivery, now, timeZone)
  const then = new Date(mail.schedule_at ?? mail.timestamp)
  const age = ageClass(then, now)
  const isOpen = place.emailId === mail.id
  return (
    <li className="border-b border-line">
      <Link
        to={place.to({ emailId: mail.id })}
        replace={place.emailId !== null}
        data-email={mail.id}
        aria-current={isOpen || undefined}
        className="relative block px-4 py-2.5 transition-colors hover:bg-sunken/60 focus-visible:-outline-offset-2 aria-[current=true]:bg-moon-soft"
      >
        {unread ? (
          <span aria-hidden className="absolute top-4.5 left-1.5 size-1.5 rounded-full bg-moon" />
        ) : null}
        <span className="flex items-baseline gap-2">
          <span className={cx('min-w-0 truncate', unread ? 'font-semibold' : 'font-medium')}>
            {outgoing ? <span className="font-normal text-ink-2">To </span> : null}
            {outgoing ? mail.to || 'nobody yet' : mail.from_name || mail.from}
          </span>
          {mail.collapsed > 1 ? (
            <span className="text-sm text-ink-2 tabular-nums">
              {mail.collapsed}
              <span className="sr-only"> emails</span>
            </span>
          ) : null}
          {unread ? <span className="sr-only">(unread)</span> : null}
          <span className="ml-auto flex shrink-0 items-center gap-1.5 self-center">
            {mail.isStarred ? <Star aria-label="Starred" className="size-3.5 fill-amber text-amber" /> : null}
            {mail.attachments.length > 0 ? (
              <Paperclip aria-label="Has attachments" className="size-3.5 text-ink-2" />
            ) : null}
            <time
              dateTime={then.toISOString()}
              title={fullTime(then, timeZone)}
              data-age={age}
              className={cx('text-sm tabular-nums', AGE_LOOKS[age])}
            >
              {mail.status === 'scheduled' ? dateAndTime(then, timeZone) : mailAge(then, now, timeZone)}
            </time>
          </span>
        </span>
        <span className="mt-0.5 flex min-h-5.5 items-center gap-2">
          <span className={cx('min-w-0 flex-1 truncate', unread && 'font-semibold')}>
            {mail.subject || 'No subject'}
          </span>
          <IntentBadge intent={mail.intent} />
          <DeliveryBadge words={delivery} />
        </span>
        <span
          className={cx('mt-0.5 text-sm text-ink-2', delivery === null ? 'block truncate' : 'line-clamp-2')}
        >
          {delivery === null ? mail.content.trim() || 'No text' : delivery.sentence}
        </span>
      </Link>
    </li>
  )
}
