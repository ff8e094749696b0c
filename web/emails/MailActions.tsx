import { Clock, Forward, PenLine, Reply, ReplyAll, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Email } from '#contract/email.ts'
import type { StartWriting, Writing } from '#web/compose/writing.ts'
import { SendingActions } from '#web/compose/SendingActions.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ActButton, StarButton } from './ActButton.tsx'
import { actsFor } from './mail-acts.ts'
import { isOutgoing } from './outgoing.ts'
import type { MailActs } from './use-mail-acts.tsx'

type MailActionsProps = { mail: Email; acts: MailActs; startWriting: StartWriting }

/** What can be done with the mail that is open. */
export function MailActions({ mail, acts, startWriting }: MailActionsProps) {
  return (
    <div role="toolbar" aria-label="Actions" className="flex flex-wrap items-center gap-0.5">
      <WritingButtons mail={mail} startWriting={startWriting} />
      <SendingActions mail={mail} />
      <StarButton mail={mail} acts={acts} />
      {actsFor(mail).map((act) => (
        <ActButton key={act} act={act} mails={[mail]} acts={acts} />
      ))}
    </div>
  )
}

type WritingKind = Exclude<Writing['kind'], 'new'>

function WritingButtons({ mail, startWriting }: Omit<MailActionsProps, 'acts'>) {
  const button = (kind: WritingKind, label: string, icon: ReactNode, key?: string) => (
    <IconButton
      label={label}
      icon={icon}
      {...(key === undefined ? {} : { 'data-tip': `${label} (${key})` })}
      onClick={() => startWriting({ kind, mail })}
    />
  )
  if (mail.status === 'draft') return button('draft', 'Edit draft', <PenLine aria-hidden />, 'Enter')
  if (mail.status === 'scheduled') return button('draft', 'Edit', <Clock aria-hidden />)
  return (
    <>
      {isOutgoing(mail) ? null : button('reply', 'Reply', <Reply aria-hidden />, 'r')}
      {button('reply-all', 'Reply all', <ReplyAll aria-hidden />, 'a')}
      {button('forward', 'Forward', <Forward aria-hidden />, 'f')}
      {isOutgoing(mail)
        ? button('follow-up', 'Generate Follow-up', <Sparkles aria-hidden />)
        : button('generate-reply', 'Generate Reply', <Sparkles aria-hidden />)}
    </>
  )
}
