import {
  Check,
  CircleCheck,
  CircleX,
  Coins,
  Copy,
  Ellipsis,
  FileMinus,
  FilePlus,
  Repeat,
  RotateCcw,
  Send,
  Trash2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu } from '#web/platform/ui/Menu.tsx'
import type { MenuEntry } from '#web/platform/ui/menu-props.ts'
import { customerText, documentName, isOpen, isUnanswered } from './invoice-text.ts'
import type { InvoiceActs, Subject } from './invoice-acts.ts'
import type { QuoteActs, QuoteSubject } from '../quotes/quote-acts.ts'

/** Everything that can be done with an invoice. */
export function InvoiceMenu({ invoice, acts }: { invoice: Subject; acts: InvoiceActs }) {
  return (
    <Menu
      label={`More actions, ${documentName(invoice)}, ${customerText(invoice.customer)}`}
      trigger={<Ellipsis aria-hidden className="size-4" />}
      entries={entriesOf(invoice, acts)}
      className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
    />
  )
}

function entriesOf(invoice: Subject, acts: InvoiceActs): MenuEntry[] {
  const { kind, status } = invoice
  const isDraft = status === 'draft'
  const isCreditable = kind === 'invoice' && !isDraft && status !== 'credited'
  return [
    ...(isDraft ? [entry('Issue', <Check />, () => acts.issue(invoice))] : []),
    ...(isDraft ? [] : [entry('Send', <Send />, () => acts.send(invoice))]),
    ...(isOpen(invoice) ? [entry('Record payment', <Coins />, () => acts.pay(invoice))] : []),
    ...quoteEntries(invoice, acts),
    ...(kind !== 'credit_note' ? [entry('Duplicate', <Copy />, () => acts.duplicate(invoice))] : []),
    ...(kind === 'invoice' ? [entry('Repeat…', <Repeat />, () => acts.repeat(invoice))] : []),
    ...(isCreditable ? [entry('Credit note', <FileMinus />, () => acts.credit(invoice))] : []),
    ...(isDraft
      ? [
          {
            kind: 'action' as const,
            label: 'Delete',
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => acts.remove(invoice),
          },
        ]
      : []),
  ]
}

const entry = (label: string, icon: ReactNode, onSelect: () => void): MenuEntry => ({
  kind: 'action',
  label,
  icon,
  onSelect,
})

/** The entries of a quote's menu that other documents do not have. */
function quoteEntries(quote: QuoteSubject, acts: QuoteActs): MenuEntry[] {
  const { kind, status } = quote
  const isOpen = isUnanswered(quote)
  const entry = (label: string, icon: ReactNode, act: (row: QuoteSubject) => void): MenuEntry => ({
    kind: 'action',
    label,
    icon,
    onSelect: () => act(quote),
  })
  if (kind !== 'quote') return []
  return [
    ...(isOpen ? [entry('Mark as accepted', <CircleCheck aria-hidden />, acts.accept)] : []),
    ...(isOpen ? [entry('Mark as declined', <CircleX aria-hidden />, acts.decline)] : []),
    ...(isOpen || status === 'accepted'
      ? [entry('Create invoice', <FilePlus aria-hidden />, acts.makeInvoice)]
      : []),
    ...(status === 'accepted' || status === 'declined'
      ? [entry('Open again', <RotateCcw aria-hidden />, acts.openAgain)]
      : []),
  ]
}
