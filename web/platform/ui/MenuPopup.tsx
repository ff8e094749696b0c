import { Menu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { Fragment, type RefObject } from 'react'
import { cx } from './cx.ts'
import type { MenuEntry } from './menu-props.ts'

type Props = {
  anchor: RefObject<HTMLButtonElement | null>
  open: boolean
  onOpenChange: (open: boolean) => void
  label: string
  entries: ReadonlyArray<MenuEntry>
  align: 'start' | 'end'
}

/** The lazy half of `Menu`, which is the one to use. */
export function MenuPopup({ anchor, open, onOpenChange, label, entries, align }: Props) {
  return (
    <Menu.Root
      open={open}
      onOpenChange={(next, details) => {
        // Our own button handles a press on itself; otherwise the press would close the menu here and reopen it there.
        if (!next && details.reason !== 'escape-key' && isWithin(anchor.current, details.event))
          return details.cancel()
        onOpenChange(next)
      }}
    >
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} align={align} sideOffset={6} className="z-50 outline-none">
          <Menu.Popup finalFocus={anchor} aria-label={label} className={popupClass}>
            {entries.map((entry, index) => (
              <Fragment key={'label' in entry ? entry.label : index}>{present(entry)}</Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const isWithin = (element: HTMLElement | null, event: Event) =>
  event.type !== 'keydown' && event.target instanceof Node && Boolean(element?.contains(event.target))

function present(entry: MenuEntry) {
  if (entry.kind === 'separator') return <Menu.Separator className="-mx-1 my-1 h-px bg-line" />
  if (entry.kind === 'note') return <div className="px-2.5 py-1.5 text-sm text-ink-2">{entry.text}</div>
  if (entry.kind === 'choice') return <Choice {...entry} />
  return (
    <Menu.Item
      disabled={entry.disabled}
      onClick={entry.onSelect}
      className={cx(itemClass, entry.danger && 'text-danger data-highlighted:bg-danger-soft')}
    >
      {entry.icon}
      {entry.label}
    </Menu.Item>
  )
}

function Choice({ label, value, options, onChange }: Extract<MenuEntry, { kind: 'choice' }>) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="px-2.5 pt-1.5 pb-0.5 text-xs text-ink-2">{label}</Menu.GroupLabel>
      <Menu.RadioGroup value={value} onValueChange={(next: string) => onChange(next)}>
        {options.map((option) => (
          <Menu.RadioItem key={option.value} value={option.value} className={itemClass}>
            {option.label}
            <Menu.RadioItemIndicator className="ml-auto">
              <Check aria-hidden />
            </Menu.RadioItemIndicator>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Group>
  )
}

const popupClass =
  'max-h-(--available-height) min-w-48 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-float outline-none ' +
  'origin-(--transform-origin) transition duration-120 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0'

const itemClass =
  'flex h-8 items-center gap-2.5 rounded-md px-2.5 outline-none select-none data-highlighted:bg-sunken ' +
  'data-disabled:opacity-50 pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0'
