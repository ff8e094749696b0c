import { MoreHorizontal } from 'lucide-react'
import type { Email } from '#contract/email.ts'
import { Menu } from '#web/ui/Menu.tsx'
import { ACT_ICONS } from '../actions/action-icons.tsx'
import { ACT_NAMES, actsFor } from '../mail/mail-actions.ts'
import type { ActOnMails } from '../actions/use-mail-actions.tsx'

/** What can be done with a mail, behind a button: for fingers, which cannot hover. */
export function RowMenu({ mail, acts }: { mail: Email; acts: ActOnMails }) {
  return (
    <Menu
      label="More actions"
      trigger={<MoreHorizontal aria-hidden className="size-4" />}
      className="grid h-11 w-9 place-items-center rounded-md text-ink-2"
      entries={actsFor(mail).map((act) => ({
        kind: 'action',
        label: ACT_NAMES[act],
        icon: ACT_ICONS[act],
        danger: act === 'delete',
        onSelect: () => acts.act(act, [mail]),
      }))}
    />
  )
}
