import { CircleCheck, CircleX, FilePlus, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { MenuEntry } from '#web/platform/ui/menu-props.ts'
import { isUnanswered } from '../list/invoice-text.ts'
import type { QuoteActs, QuoteSubject } from './quote-acts.ts'

/** The entries of a quote's menu that other documents do not have. */
export function quoteEntries(quote: QuoteSubject, acts: QuoteActs): MenuEntry[] {
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
