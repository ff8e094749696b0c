import { Forward, PenLine, Reply, ReplyAll, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Email } from '#contract/mail/email.ts'
import type { StartWriting, Writing } from '#web/mail/compose/writing.ts'
import { SendingActions } from '#web/mail/compose/SendingActions.tsx'
import { MakeTask } from '#web/crm/todos/MakeTask.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { ActionButton, StarButton } from './ActionButton.tsx'
import { actionsFor } from '../mail/mail-actions.ts'
import { isOutgoing } from '../mail/is-outgoing.ts'
import type { MailActionCommands } from './use-mail-actions.tsx'

type MailActionsProps = { mail: Email; actions: MailActionCommands; startWriting: StartWriting }

/** The actions for the open mail. */
export function MailActions({ mail, actions, startWriting }: MailActionsProps) {
  return (
    <div role="toolbar" aria-label="Actions" className="-ml-2.25 flex flex-wrap items-center gap-0.5">
      <WritingButtons mail={mail} startWriting={startWriting} />
      <span aria-hidden className="mx-1.5 h-4 w-px bg-line max-sm:hidden" />
      <SendingActions mail={mail} startWriting={startWriting} />
      <StarButton mail={mail} actions={actions} />
      {mail.status === 'draft' ? null : <MakeTask mail={mail} />}
      {actionsFor(mail).map((action) => (
        <ActionButton key={action} action={action} mails={[mail]} actions={actions} />
      ))}
    </div>
  )
}

type WritingKind = Exclude<Writing['kind'], 'new'>

function WritingButtons({ mail, startWriting }: Omit<MailActionsProps, 'actions'>) {
  const button = (kind: WritingKind, label: string, icon: ReactNode, key?: string) => (
    <IconButton
      label={label}
      icon={icon}
      {...(key === undefined ? {} : { 'data-tip': `${label} (${key})` })}
      onClick={() => startWriting({ kind, mail })}
    />
  )
  if (mail.status === 'draft') return button('draft', 'Edit draft', <PenLine aria-hidden />, 'Enter')
  if (mail.status === 'scheduled') return button('draft', 'Edit', <PenLine aria-hidden />)
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
