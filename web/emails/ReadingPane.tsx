import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { Email, EmailDetail } from '#contract/emails.ts'
import { useTimeZone } from '#web/auth/use-time-zone.ts'
import { deliveryWords } from '#web/email-text/delivery-words.ts'
import { ageClass, type AgeClass, ageLabel, fullTime } from '#web/email-text/mail-age.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Attachments } from './Attachments.tsx'
import { IntentBadge } from './MailBadges.tsx'
import type { MailPlace } from './mail-address.ts'
import { MailFrame } from './MailFrame.tsx'
import { MailText } from './MailText.tsx'
import { isOutgoing } from './outgoing.ts'
import { useOpenedMail } from './use-opened-mail.ts'

/** The mail that is open: a region named by its subject. */
export function ReadingPane({ id, place, now }: { id: number; place: MailPlace; now: Date }) {
  const { data, shown, error, isFetching, refetch } = useOpenedMail(id)
  const name = useId()
  const close = () => place.go({ emailId: null }, { replace: true })
  const failure = error?.status === 404 ? 'Email not found' : 'This email could not be loaded'
  return (
    <section
      {...(shown === undefined ? { 'aria-label': 'Email' } : { 'aria-labelledby': name })}
      className="flex min-h-0 min-w-0 flex-col overflow-y-auto border-line bg-surface max-lg:row-span-2 lg:border-l"
    >
      <div className="flex items-start gap-2 px-3 pt-3 lg:px-6 lg:pt-5">
        <IconButton label="Back" icon={<ArrowLeft />} onClick={close} className="lg:hidden" />
        <div className="min-w-0 flex-1 pt-1">
          {shown === undefined ? null : <Subject mail={shown} id={name} />}
        </div>
        <IconButton label="Close" icon={<X />} onClick={close} className="max-lg:hidden" />
      </div>
      {shown === undefined ? null : <Envelope mail={shown} whole={data} now={now} />}
      {data !== undefined ? (
        <Content mail={data} />
      ) : error !== null ? (
        <ErrorState
          message={failure}
          busy={isFetching}
          {...(error.status === 404 ? {} : { onRetry: () => void refetch() })}
        />
      ) : (
        <LoadingText />
      )}
    </section>
  )
}

function Subject({ mail, id }: { mail: Email; id: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // On a phone the list is gone: reading begins here.
  useEffect(() => {
    if (!window.matchMedia('(min-width: 64rem)').matches) heading.current?.focus()
  }, [])
  return (
    <h2 ref={heading} id={id} tabIndex={-1} className="text-lg font-semibold wrap-anywhere outline-none">
      {mail.subject || 'No subject'}
    </h2>
  )
}

const WITHIN_A_WEEK: readonly AgeClass[] = ['very-recent', 'recent', 'this-week']

function Envelope({ mail, whole, now }: { mail: Email; whole: EmailDetail | undefined; now: Date }) {
  const timeZone = useTimeZone()
  const then = new Date(mail.schedule_at ?? mail.timestamp)
  // Older than that, the age is the date once more.
  const isNew = mail.status !== 'scheduled' && WITHIN_A_WEEK.includes(ageClass(then, now))
  const person = isOutgoing(mail) ? mail.to : mail.from_name || mail.from
  return (
    <div className="flex flex-col gap-3 border-b border-line px-4 py-4 lg:px-6">
      <div className="flex gap-3">
        <Avatar name={person} className="mt-0.5" />
        <dl className="grid min-w-0 flex-1 grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm">
          <Line name="From">
            {mail.from_name === '' ? null : (
              <span className="text-base font-medium text-ink">{mail.from_name} </span>
            )}
            {mail.from}
          </Line>
          <Line name="To">{mail.to}</Line>
          {whole?.cc ? <Line name="Cc">{whole.cc}</Line> : null}
          {whole?.reply_to && whole.reply_to !== mail.from ? (
            <Line name="Reply to">{whole.reply_to}</Line>
          ) : null}
          <Line name="Date">
            <time dateTime={then.toISOString()}>{fullTime(then, timeZone)}</time>
            {isNew ? ` (${ageLabel(then, now, timeZone)})` : null}
          </Line>
        </dl>
        <IntentBadge intent={mail.intent} />
      </div>
      <Standing mail={mail} now={now} />
    </div>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="leading-6 text-ink-2">{name}</dt>
      <dd className="min-w-0 leading-6 wrap-anywhere text-ink-2">{children}</dd>
    </>
  )
}

function Standing({ mail, now }: { mail: Email; now: Date }) {
  const words = deliveryWords(mail.delivery, now, useTimeZone())
  if (words === null) return null
  return (
    <p
      className={cx(
        'rounded-md px-3 py-2 text-sm',
        words.tone === 'trouble'
          ? 'bg-danger-soft'
          : words.tone === 'waiting'
            ? 'bg-amber-soft'
            : 'bg-sunken',
      )}
    >
      <span className="font-semibold">{words.word}.</span> {words.sentence}
    </p>
  )
}

function Content({ mail }: { mail: EmailDetail }) {
  return (
    <>
      {mail.html_url === null ? (
        <MailText text={mail.content} newWords={isOutgoing(mail) ? mail.content : mail.new_words} />
      ) : (
        <MailFrame url={mail.html_url} remoteParts={mail.remote_parts} />
      )}
      <Attachments mail={mail} />
    </>
  )
}

function LoadingText() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 p-4 lg:p-6">
      {['w-1/3', 'w-11/12', 'w-4/5', 'w-5/6', 'w-1/2'].map((width) => (
        <Skeleton key={width} className={`h-3.5 ${width}`} />
      ))}
    </div>
  )
}
