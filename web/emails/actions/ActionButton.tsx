import { Star } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { MailAction } from '#contract/email-actions.ts'
import type { Email } from '#contract/emails.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ACTION_ICONS } from './action-icons.tsx'
import { ACTION_NAMES } from '../mail/mail-actions.ts'
import { ACTION_KEYS } from '../mail/action-keys.ts'
import type { ActOnMails } from './use-mail-actions.tsx'

type ActButtonProps = { act: MailAction; mails: readonly Email[]; acts: ActOnMails; size?: 's' | 'm' }

/** The button of one act, with its key in the tooltip. */
export function ActionButton({ act, mails, acts, size = 'm' }: ActButtonProps) {
  const key = ACTION_KEYS[act]
  return (
    <IconButton
      label={ACTION_NAMES[act]}
      icon={ACTION_ICONS[act]}
      size={size}
      danger={act === 'delete'}
      {...(key === undefined ? {} : { 'data-tip': `${ACTION_NAMES[act]} (${key})` })}
      onClick={unlessDoubled(() => acts.act(act, mails))}
    />
  )
}

/** Sets or takes off the star of a mail. */
export function StarButton({ mail, acts, size = 'm' }: { mail: Email; acts: ActOnMails; size?: 's' | 'm' }) {
  return (
    <IconButton
      label="Star"
      size={size}
      pressed={mail.isStarred}
      data-tip={mail.isStarred ? 'Unstar (s)' : 'Star (s)'}
      icon={<Star aria-hidden className={cx(mail.isStarred && 'fill-amber text-amber')} />}
      onClick={() => acts.act(mail.isStarred ? 'unstar' : 'star', [mail])}
    />
  )
}

// The second click of a double click would meet the mail that has taken the first one's place.
const unlessDoubled = (act: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) act()
}
