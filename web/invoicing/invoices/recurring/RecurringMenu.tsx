import { CircleStop, Ellipsis, Pause, Pencil, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RecurringInvoice } from '#contract/invoicing/recurring-invoices.ts'
import { Menu } from '#web/platform/ui/Menu.tsx'
import type { MenuEntry } from '#web/platform/ui/menu-props.ts'
import { recurringName } from './recurring-text.ts'
import type { RecurringActs } from './recurring-acts.ts'

/** Everything that can be done with a recurring invoice. */
export function RecurringMenu({ row, acts }: { row: RecurringInvoice; acts: RecurringActs }) {
  const entry = (label: string, icon: ReactNode, onSelect: () => void) =>
    ({ kind: 'action', label, icon, onSelect }) as const
  const entries: MenuEntry[] = [
    entry('Change', <Pencil aria-hidden />, () => acts.change(row)),
    row.state === 'active'
      ? entry('Pause', <Pause aria-hidden />, () => acts.setState(row, 'paused'))
      : entry(row.state === 'paused' ? 'Resume' : 'Start again', <Play aria-hidden />, () =>
          acts.setState(row, 'active'),
        ),
    ...(row.state === 'ended'
      ? []
      : [{ ...entry('End', <CircleStop aria-hidden />, () => acts.setState(row, 'ended')), danger: true }]),
  ]
  return (
    <Menu
      label={`More actions, ${recurringName(row)}`}
      trigger={<Ellipsis aria-hidden className="size-4" />}
      entries={entries}
      className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
    />
  )
}
