import { Star } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email } from '#contract/mail/emails.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { ACTION_ICONS } from './action-icons.tsx'
import { ACTION_NAMES } from '../mail/mail-actions.ts'
import { ACTION_KEYS } from '../mail/action-keys.ts'
import type { MailActionCommands } from './use-mail-actions.tsx'

type ActionButtonProps = {
  action: MailAction
  mails: readonly Email[]
  actions: MailActionCommands
  size?: 's' | 'm'
}

/** The button of an action, with its shortcut in the tooltip. */
export function ActionButton({ action, mails, actions, size = 'm' }: ActionButtonProps) {
  const key = ACTION_KEYS[action]
  return (
    <IconButton
      label={ACTION_NAMES[action]}
      icon={ACTION_ICONS[action]}
      size={size}
      danger={action === 'delete'}
      {...(key === undefined ? {} : { 'data-tip': `${ACTION_NAMES[action]} (${key})` })}
      onClick={unlessDoubled(() => actions.perform(action, mails))}
    />
  )
}

/** The button that stars or unstars a mail. */
export function StarButton({
  mail,
  actions,
  size = 'm',
}: {
  mail: Email
  actions: MailActionCommands
  size?: 's' | 'm'
}) {
  return (
    <IconButton
      label="Star"
      size={size}
      pressed={mail.isStarred}
      data-tip={mail.isStarred ? 'Unstar (s)' : 'Star (s)'}
      icon={<Star aria-hidden className={cx(mail.isStarred && 'fill-amber text-amber')} />}
      onClick={() => actions.perform(mail.isStarred ? 'unstar' : 'star', [mail])}
    />
  )
}

// The second click of a double click would hit the mail that has moved up.
const unlessDoubled = (action: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) action()
}
