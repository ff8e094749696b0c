import { MoreHorizontal } from 'lucide-react'
import type { Email } from '#contract/email.ts'
import { Menu } from '#web/ui/Menu.tsx'
import { ACTION_ICONS } from '../actions/action-icons.tsx'
import { ACTION_NAMES, actionsFor } from '../mail/mail-actions.ts'
import type { ActOnMails } from '../actions/use-mail-actions.tsx'

/** What can be done with a mail, behind a button: for fingers, which cannot hover. */
export function RowMenu({ mail, acts }: { mail: Email; acts: ActOnMails }) {
  return (
    <Menu
      label="More actions"
      trigger={<MoreHorizontal aria-hidden className="size-4" />}
      className="grid h-11 w-9 place-items-center rounded-md text-ink-2"
      entries={actionsFor(mail).map((act) => ({
        kind: 'action',
        label: ACTION_NAMES[act],
        icon: ACTION_ICONS[act],
        danger: act === 'delete',
        onSelect: () => acts.act(act, [mail]),
      }))}
    />
  )
}
