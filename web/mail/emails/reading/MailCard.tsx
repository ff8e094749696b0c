import { CodeXml, Ellipsis, Scissors } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import type { Email, EmailDetail } from '#contract/mail/emails.ts'
import {
  isOwnName,
  NO_SENDER,
  sendersOf,
  shownAddress,
  shownName,
  shownRecipients,
} from '#contract/formats/shown-sender.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { deliveryStatus, reportOf } from '#web/mail/email-text/delivery-status.ts'
import { ageClass, type AgeClass, ageLabel, fullTime } from '#web/platform/dates/mail-age.ts'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Menu } from '#web/platform/ui/Menu.tsx'
import { Attachments } from './Attachments.tsx'
import { InvitationCard } from './InvitationCard.tsx'
import { IntentBadge, UnsentBadge } from '../mail/MailBadges.tsx'
import { MailFrame } from './MailFrame.tsx'
import { MailText } from './MailText.tsx'
import { isOutgoing } from '../mail/is-outgoing.ts'
import type { Mailbox } from '#contract/formats/address-line.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const SourceDialog = lazyPart(() => import('./SourceDialog.tsx'), 'SourceDialog')

type MailCardProps = { mail: Email; whole: EmailDetail | undefined; now: Date }

/** A whole mail: people, date, status, and the text once it has loaded. */
export function MailCard({ mail, whole, now }: MailCardProps) {
  return (
    <>
      <Envelope mail={mail} whole={whole} now={now} />
      {whole === undefined ? null : <Content mail={whole} />}
    </>
  )
}

const WITHIN_A_WEEK: readonly AgeClass[] = ['very-recent', 'recent', 'this-week']

function Envelope({ mail, whole, now }: { mail: Email; whole: EmailDetail | undefined; now: Date }) {
  const timeZone = useTimeZone()
  const then = new Date(mail.schedule_at ?? mail.timestamp)
  // For older mails the age would only repeat the date.
  const isNew = mail.status !== 'scheduled' && WITHIN_A_WEEK.includes(ageClass(then, now))
  return (
    <div className="flex flex-col gap-3 border-b border-line px-4 py-4 lg:px-6">
      <div className="flex gap-3 max-sm:flex-wrap">
        <Avatar name={mail.sender} className="mt-0.5" />
        {/* On a phone the badge is below; beside it the names would be squeezed into a narrow column. */}
        <dl className="grid min-w-0 flex-1 max-sm:basis-[calc(100%-6.5rem)] grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm">
          <Line name="From">
            <Senders mail={mail} />
          </Line>
          <Line name="To">{shownRecipients(mail.to)}</Line>
          {whole?.cc ? <Line name="Cc">{shownRecipients(whole.cc)}</Line> : null}
          {whole?.bcc ? <Line name="Bcc">{shownRecipients(whole.bcc)}</Line> : null}
          {whole?.reply_to && whole.reply_to !== mail.from ? (
            <Line name="Reply to">{shownRecipients(whole.reply_to)}</Line>
          ) : null}
          <Line name={mail.status === 'scheduled' ? 'Scheduled for' : 'Date'}>
            <time dateTime={then.toISOString()}>{fullTime(then, timeZone)}</time>
            {isNew ? ` (${ageLabel(then, now, timeZone)})` : null}
          </Line>
        </dl>
        <span className="max-sm:order-last max-sm:ml-11 empty:hidden">
          <IntentBadge intent={mail.intent} />
          <UnsentBadge status={mail.status} />
        </span>
        <MoreMenu mail={mail} />
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
  const status = deliveryStatus(mail.delivery, now, useTimeZone()) ?? reportOf(mail.delivery)
  if (status === null) return null
  return (
    <p
      className={cx(
        'rounded-md px-3 py-2 text-sm',
        status.tone === 'problem'
          ? 'bg-danger-soft'
          : status.tone === 'waiting'
            ? 'bg-amber-soft'
            : 'bg-sunken',
      )}
    >
      <span className="font-semibold">{status.word}.</span> {status.sentence}
    </p>
  )
}

function Content({ mail }: { mail: EmailDetail }) {
  return (
    <>
      {mail.invitation === null ? null : <InvitationCard invitation={mail.invitation} />}
      {mail.shown_in_full ? null : <NotInFull mail={mail} />}
      {mail.html_url === null ? (
        <MailText text={mail.content} newWords={isOutgoing(mail) ? mail.content : mail.new_words} />
      ) : (
        <MailFrame mail={mail} url={mail.html_url} />
      )}
      <Attachments mail={mail} />
    </>
  )
}

/** Says that the end of a mail is missing here, with a link to the whole mail. */
function NotInFull({ mail }: { mail: EmailDetail }) {
  const [source, setSource] = useState<boolean | null>(null)
  return (
    <div
      role="note"
      className="mx-4 mt-4 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-md bg-amber-soft px-3 py-1.5 text-sm lg:mx-6"
    >
      <Scissors aria-hidden className="size-4 shrink-0 text-amber" />
      <p>Only a part of this email is shown.</p>
      <Button size="s" onClick={() => setSource(true)}>
        View source
      </Button>
      <Suspense fallback={null}>
        {source === null ? null : <SourceDialog mail={mail} open={source} onClose={() => setSource(false)} />}
      </Suspense>
    </div>
  )
}

/** The rarely used actions of a mail. */
function MoreMenu({ mail }: { mail: Email }) {
  const [source, setSource] = useState<boolean | null>(null)
  return (
    <>
      <Menu
        label="More about this email"
        trigger={<Ellipsis aria-hidden className="size-4" />}
        className="inline-grid size-7 shrink-0 place-items-center rounded-md text-ink-2 transition-colors hover:bg-sunken hover:text-ink pointer-coarse:-my-2.5 pointer-coarse:min-h-11 pointer-coarse:min-w-9"
        entries={[
          {
            kind: 'action',
            label: 'View source',
            icon: <CodeXml aria-hidden className="size-4" />,
            onSelect: () => setSource(true),
          },
        ]}
      />
      <Suspense fallback={null}>
        {source === null ? null : <SourceDialog mail={mail} open={source} onClose={() => setSource(false)} />}
      </Suspense>
    </>
  )
}

/** Who a mail is from, with names and addresses; the address comes first where the name reads as another one. */
function Senders({ mail }: { mail: Email }) {
  return sendersOf(mail).map((sender) => (
    <span key={`${sender.name} ${sender.address}`} className="block">
      <Sender sender={sender} />
    </span>
  ))
}

function Sender({ sender }: { sender: Mailbox }) {
  const name = shownName(sender.name)
  const address = sender.address === '' ? '' : shownAddress(sender.address)
  if (sender.name === '' && address !== '') return <bdi>{address}</bdi>
  if (isOwnName(sender)) {
    return (
      <>
        <bdi className="text-base font-medium text-ink">{name}</bdi> <bdi>{address || '(no address)'}</bdi>
      </>
    )
  }
  return (
    <>
      <bdi className="text-base font-medium text-ink">{address || NO_SENDER}</bdi>
      {name.trim() === '' ? null : (
        <>
          {address === '' ? ', only the name' : ' calls itself'} “<bdi>{name}</bdi>”
        </>
      )}
    </>
  )
}
