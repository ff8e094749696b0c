import { MoreHorizontal } from 'lucide-react'
import type { Email } from '#contract/mail/email.ts'
import { Menu } from '#web/platform/ui/Menu.tsx'
import { ACTION_ICONS } from '../actions/action-icons.tsx'
import { ACTION_NAMES, actionsFor } from '../mail/mail-actions.ts'
import type { MailActionCommands } from '../actions/use-mail-actions.tsx'

/** A mail's actions in a menu, for touch screens, which have no hover. */
export function RowMenu({ mail, actions }: { mail: Email; actions: MailActionCommands }) {
  return (
    <Menu
      label="More actions"
      trigger={<MoreHorizontal aria-hidden className="size-4" />}
      className="grid h-11 w-9 place-items-center rounded-md text-ink-2"
      entries={actionsFor(mail).map((action) => ({
        kind: 'action',
        label: ACTION_NAMES[action],
        icon: ACTION_ICONS[action],
        danger: action === 'delete',
        onSelect: () => actions.perform(action, [mail]),
      }))}
    />
  )
}
