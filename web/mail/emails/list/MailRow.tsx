import { memo, type MouseEvent, Suspense } from 'react'
import { Paperclip } from 'lucide-react'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email } from '#contract/mail/emails.ts'
import { type DeliveryStatus, deliveryStatus, reportOf } from '#web/mail/email-text/delivery-status.ts'
import { ageClass, type AgeClass, dateAndTime, fullTime, mailAge } from '#web/platform/dates/mail-age.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { actionsFor } from '../mail/mail-actions.ts'
import { ActionButton, StarButton } from '../actions/ActionButton.tsx'
import { DeliveryBadge, IntentBadge } from '../mail/MailBadges.tsx'
import { areReports } from '../mail/are-reports.ts'
import { isOutgoing } from '../mail/is-outgoing.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const RowMenu = lazyPart(() => import('./RowMenu.tsx'), 'RowMenu')

/** The age of a recent mail stands out more. */
const AGE_LOOKS: Record<AgeClass, string> = {
  'very-recent': 'text-accent font-medium',
  recent: 'text-ink',
  'this-week': 'text-ink-2',
  'this-month': 'text-ink-2',
  old: 'text-ink-2',
}

/** What all rows share; it stays the same from one key press to the next. */
export type RowContext = {
  now: Date
  timeZone: string
  /** True on devices without hover, where the actions are behind a button. */
  touch: boolean
  /** The address of a mail, for opening it in a new tab. */
  addressOf: (mail: Email) => string
  open: (mail: Email) => void
  perform: (action: MailAction, mails: readonly Email[]) => void
  /** Selects or deselects a mail; with `isRange`, the range from the last selected one. */
  toggle: (mail: Email, isRange: boolean) => void
  onLookAt: (id: number) => void
  onLookAway: () => void
}

type MailRowProps = {
  mail: Email
  context: RowContext
  isNew: boolean
  isOpen: boolean
  isChosen: boolean
  /**
   * Only on long pages, which do not render every row: the number of rows, the index of this one, and a ref that
   * measures its height.
   */
  setSize?: number
  position?: number
  index?: number
  measure?: (row: HTMLElement | null) => void
}

/**
 * A mail in the list: correspondent, age, subject, beginning of the text, badges and actions. Memoized, because a key
 * press changes at most two rows.
 */
export const MailRow = memo(function MailRow({ measure, ...props }: MailRowProps) {
  const { mail, context, isNew, isOpen, isChosen } = props
  return (
    <li
      data-row={mail.id}
      ref={measure}
      data-index={props.index}
      aria-setsize={props.setSize}
      aria-posinset={props.position}
      onPointerEnter={() => context.onLookAt(mail.id)}
      onPointerLeave={context.onLookAway}
      className={cx(
        'group relative border-b border-line transition-colors hover:bg-sunken/60',
        isNew && 'animate-[rise_180ms_var(--ease-out)]',
        isChosen && 'bg-accent-soft',
      )}
    >
      <a
        href={context.addressOf(mail)}
        onClick={(event) => openHere(event, () => context.open(mail))}
        data-email={mail.id}
        aria-current={isOpen || undefined}
        className="block py-2.5 max-md:py-1.5 pr-4 pl-10 focus-visible:-outline-offset-2 aria-[current=true]:bg-accent-soft aria-[current=true]:shadow-[inset_3px_0_0_var(--accent)]"
      >
        <Face mail={mail} context={context} />
      </a>
      <RowCheckbox mail={mail} isChosen={isChosen} onToggle={context.toggle} />
      <RowActions mail={mail} context={context} />
    </li>
  )
})

/** A plain click opens the mail in this page; the browser handles any other (new tab, new window). */
function openHere(event: MouseEvent, open: () => void): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  open()
}

function Face({ mail, context: { now, timeZone, touch } }: { mail: Email; context: RowContext }) {
  const outgoing = isOutgoing(mail)
  const unread = !mail.isRead && !outgoing
  const delivery = deliveryStatus(mail.delivery, now, timeZone) ?? outcomeOf(mail)
  const offersActions = !touch && actionsFor(mail).length > 0
  return (
    <>
      <span className="flex items-baseline gap-2">
        {unread ? (
          <span
            aria-hidden
            className="absolute top-4.5 left-1.5 size-1.5 max-md:top-3.5 rounded-full bg-accent"
          />
        ) : null}
        <span className={cx('min-w-0 truncate', unread ? 'font-semibold' : 'font-medium')}>
          {outgoing ? <span className="font-normal text-ink-2">To </span> : null}
          <bdi>
            {outgoing
              ? mail.to_names || 'nobody yet'
              : areReports(mail)
                ? `${mail.collapsed} delivery reports`
                : mail.sender}
          </bdi>
        </span>
        {mail.collapsed > 1 && !areReports(mail) ? (
          <span className="shrink-0 rounded-sm bg-gray-soft px-1 text-xs text-gray tabular-nums">
            {mail.collapsed}
            <span className="sr-only"> emails</span>
          </span>
        ) : null}
        {unread ? <span className="sr-only">(unread)</span> : null}
        {mail.isStarred ? <span className="sr-only">(starred)</span> : null}
        <span
          className={cx(
            'ml-auto flex shrink-0 items-center gap-1.5 self-center',
            offersActions && 'under-row-actions',
          )}
        >
          {mail.attachments.length > 0 ? (
            <Paperclip aria-label="Has attachments" className="size-3.5 text-ink-2" />
          ) : null}
          <Age mail={mail} now={now} timeZone={timeZone} />
        </span>
      </span>
      <span className={cx('mt-0.5 flex min-h-5.5 items-center gap-2', touch && 'pr-19')}>
        <span className={cx('min-w-0 flex-1 truncate', unread && 'font-semibold')}>
          {mail.subject || 'No subject'}
        </span>
        <IntentBadge intent={mail.intent} />
        <DeliveryBadge status={delivery} />
      </span>
      <Beginning mail={mail} delivery={delivery} touch={touch} />
    </>
  )
}

/** What has become of a sent mail, where a report is proven to be about it. */
function outcomeOf({ delivery }: Email): DeliveryStatus | null {
  const report = reportOf(delivery)
  return report?.word === 'Report' ? null : report
}

function Age({ mail, now, timeZone }: { mail: Email; now: Date; timeZone: string }) {
  const then = new Date(mail.schedule_at ?? mail.timestamp)
  const age = ageClass(then, now)
  return (
    <time
      dateTime={then.toISOString()}
      title={fullTime(then, timeZone)}
      data-age={age}
      className={cx('text-sm tabular-nums', AGE_LOOKS[age])}
    >
      {mail.status === 'scheduled' ? dateAndTime(then, timeZone) : mailAge(then, now, timeZone)}
    </time>
  )
}

function Beginning(props: { mail: Email; delivery: DeliveryStatus | null; touch: boolean }) {
  const { mail, delivery, touch } = props
  return (
    <span
      className={cx(
        'mt-0.5 text-sm text-ink-2',
        touch ? 'pr-19' : 'pr-7',
        delivery === null ? 'block truncate' : 'line-clamp-2',
      )}
    >
      {delivery === null ? mail.content.trim() || 'No text' : delivery.sentence}
    </span>
  )
}

function RowActions({ mail, context }: { mail: Email; context: RowContext }) {
  const { touch } = context
  const offered = actionsFor(mail)
  return (
    <>
      {touch ? null : (
        <span className="row-actions absolute top-1 right-2 rounded-md border border-line bg-surface max-lg:hidden">
          {offered.map((action) => (
            <ActionButton key={action} action={action} mails={[mail]} actions={context} size="s" />
          ))}
        </span>
      )}
      <span className={cx('absolute right-2.5 bottom-1.5 flex', !mail.isStarred && !touch && 'row-actions')}>
        {touch && offered.length > 0 ? (
          <Suspense fallback={null}>
            <RowMenu mail={mail} actions={context} />
          </Suspense>
        ) : null}
        <StarButton mail={mail} actions={context} size="s" />
      </span>
    </>
  )
}

type RowCheckboxProps = {
  mail: Email
  isChosen: boolean
  onToggle: (mail: Email, isRange: boolean) => void
}

/**
 * Selects a mail; with Shift, the range from the last selected one. Visible on hover, or while any mail is selected.
 */
function RowCheckbox({ mail, isChosen, onToggle }: RowCheckboxProps) {
  return (
    <label className="absolute top-0 bottom-0 left-2.5 flex w-7 justify-center pt-3.5 max-md:pt-2 pointer-coarse:pt-2.5 max-md:pointer-coarse:pt-1.5 in-data-choosing:opacity-100! [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:transition-opacity [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100">
      <span className="sr-only">Select {mail.subject || 'No subject'}</span>
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onToggle(mail, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
        className="size-4 accent-accent pointer-coarse:size-5"
      />
    </label>
  )
}
