import { type ReactNode, useState } from 'react'
import { type Email, emails } from '#contract/mail/emails.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { mailAge } from '#web/platform/dates/mail-age.ts'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { conversationParts } from '../mail/conversation.ts'
import { MailCard } from './MailCard.tsx'
import { UnsentBadge } from '../mail/MailBadges.tsx'
import { isOutgoing } from '../mail/is-outgoing.ts'
import { useOpenedMail } from './use-opened-mail.ts'

type ConversationProps = {
  opened: Email
  now: Date
  /** The opened mail; it is shown before the others are known. */
  children: ReactNode
}

/** All mails of a conversation, oldest first. A mail without a conversation is shown alone. */
export function Conversation({ opened, now, children }: ConversationProps) {
  const { data } = useEndpoint(emails.thread, { params: { id: opened.id } })
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [showsAll, setShowsAll] = useState(false)
  if (data === undefined || data.length < 2 || !data.some(({ id }) => id === opened.id)) return children
  const toggle = (id: number) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const parts = conversationParts(data, ({ id }) => id === opened.id || open.has(id), showsAll)
  return (
    <ol aria-label="Conversation" className="mt-2 flex flex-col border-t border-line">
      {parts.map((part) =>
        part.kind === 'more' ? (
          <li key="more" className="border-b border-line bg-sunken px-4 py-1.5 text-center lg:px-6">
            <Button size="s" variant="plain" onClick={() => setShowsAll(true)}>
              {part.mails.length.toLocaleString('en')} more emails
            </Button>
          </li>
        ) : (
          <li key={part.mail.id} className="flex flex-col border-line not-last:border-b">
            {part.mail.id === opened.id ? (
              children
            ) : (
              <Other
                mail={part.mail}
                now={now}
                open={open.has(part.mail.id)}
                onToggle={() => toggle(part.mail.id)}
              />
            )}
          </li>
        ),
      )}
    </ol>
  )
}

type OtherProps = { mail: Email; now: Date; open: boolean; onToggle: () => void }

function Other({ mail, now, open, onToggle }: OtherProps) {
  const timeZone = useTimeZone()
  const then = new Date(mail.timestamp)
  const person = isOutgoing(mail) ? `You, to ${mail.to_names || 'nobody yet'}` : mail.sender
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={onToggle}
        className="flex w-full items-center gap-3 px-4 py-2.5 text-left transition-colors hover:bg-sunken lg:px-6"
      >
        <Avatar name={mail.sender} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span className={mail.isRead ? 'truncate font-medium' : 'truncate font-semibold'}>
              <bdi>{person}</bdi>
            </span>
            <UnsentBadge status={mail.status} />
            <time dateTime={mail.timestamp} className="ml-auto shrink-0 text-sm text-ink-2 tabular-nums">
              {mailAge(then, now, timeZone)}
            </time>
          </span>
          {open ? null : <span className="block truncate text-sm text-ink-2">{mail.content}</span>}
        </span>
      </button>
      {open ? <OtherOpen id={mail.id} now={now} /> : null}
    </>
  )
}

function OtherOpen({ id, now }: { id: number; now: Date }) {
  const query = useOpenedMail(id)
  const { data, shown, error } = query
  if (error !== null && data === undefined)
    return <LoadFailed query={query} message="This email could not be loaded" />
  return shown === undefined ? null : <MailCard mail={shown} whole={data} now={now} />
}
