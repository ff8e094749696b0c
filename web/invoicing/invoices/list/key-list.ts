import type { KeyGroup } from '#web/platform/ui/key-list.ts'

/** The keyboard shortcuts of the list of invoices. */
export const INVOICES_KEYS: readonly KeyGroup[] = [
  { title: 'Invoices', lines: [{ keys: ['/'], does: 'Search invoices' }] },
]
