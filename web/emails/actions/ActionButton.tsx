import { Star } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { MailAction } from '#contract/email-actions.ts'
import type { Email } from '#contract/emails.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ACT_ICONS } from './action-icons.tsx'
import { ACT_NAMES } from '../mail/mail-actions.ts'
import { ACT_KEYS } from '../mail/action-keys.ts'
import type { ActOnMails } from './use-mail-actions.tsx'

type ActButtonProps = { act: MailAction; mails: readonly Email[]; acts: ActOnMails; size?: 's' | 'm' }

/** The button of one act, with its key in the tooltip. */
export function ActButton({ act, mails, acts, size = 'm' }: ActButtonProps) {
  const key = ACT_KEYS[act]
  return (
    <IconButton
      label={ACT_NAMES[act]}
      icon={ACT_ICONS[act]}
      size={size}
      danger={act === 'delete'}
      {...(key === undefined ? {} : { 'data-tip': `${ACT_NAMES[act]} (${key})` })}
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
