import { CONTACT_STATUSES } from '#contract/crm/contacts.ts'
import { MEETING_TYPES } from '#contract/crm/meetings.ts'
import { CURRENCIES } from '#contract/invoicing/money.ts'
import { PRIORITIES } from '#contract/crm/todos.ts'
import type { Proposal } from '#contract/assistant/assistant.ts'
import { instantAt, wallTime } from '#web/crm/meetings/wall-time.ts'

/** One line of a drafted invoice. */
export type Item = { description: string; quantity: string; unit_price: string }

type Kind = 'line' | 'text' | 'day' | 'time' | 'number' | 'choice' | 'items'
export type EditField = {
  name: string
  label: string
  kind: Kind
  options: readonly string[]
  /** As the control shows it. */
  start: string
}

type Known = { label?: string; kind: Kind; options?: readonly string[] }

const KNOWN: Record<string, Known> = {
  body: { label: 'Text', kind: 'text' },
  notes: { kind: 'text' },
  description: { kind: 'text' },
  schedule_at: { label: 'Send at', kind: 'time' },
  start: { label: 'Start time', kind: 'time' },
  minutes: { label: 'Minutes', kind: 'number' },
  due_date: { label: 'Due date', kind: 'day' },
  priority: { kind: 'choice', options: PRIORITIES },
  type: { kind: 'choice', options: MEETING_TYPES },
  status: { kind: 'choice', options: CONTACT_STATUSES },
  currency: { kind: 'choice', options: CURRENCIES.map(({ code }) => code) },
  items: { label: 'Lines', kind: 'items' },
}

/** What of a proposal can be edited, as fields of a form. Times are those of the zone. */
export function fieldsOf({ editable }: Proposal, timeZone: string): EditField[] {
  return Object.entries(editable).map(([name, value]) => {
    const { label = labelOf(name), kind, options = [] } = KNOWN[name] ?? { kind: 'line' as const }
    return { name, label, kind, options, start: shownValue(kind, value, timeZone) }
  })
}

/** `meeting_link` → "Meeting link". */
const labelOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

function shownValue(kind: Kind, value: unknown, timeZone: string): string {
  if (value === null || value === undefined) return ''
  if (kind === 'items') return JSON.stringify(value)
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
  if (kind !== 'time' || text === '') return text
  // A local time stays what it is.
  if (!/(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) return text.slice(0, 16)
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? '' : wallTime(at, timeZone)
}

/** The fields that were changed, with the values that the server takes. */
export function changesOf(
  fields: readonly EditField[],
  typed: Readonly<Record<string, string>>,
  timeZone: string,
): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .filter(({ name, start }) => (typed[name] ?? start) !== start)
      .map(({ name, kind }) => [name, sentValue(kind, typed[name] ?? '', timeZone)]),
  )
}

function sentValue(kind: Kind, text: string, timeZone: string): unknown {
  if (kind === 'items') return itemsIn(text)
  if (kind === 'number') return Number(text)
  if (kind === 'day') return text === '' ? null : text
  if (kind === 'time') return text === '' ? null : (instantAt(text, timeZone)?.toISOString() ?? text)
  return text
}

/** The lines of an invoice that a field of kind `items` holds as text. */
export function itemsIn(text: string): Item[] {
  const items: unknown = text === '' ? [] : JSON.parse(text)
  if (!Array.isArray(items)) return []
  return items.map((item: Partial<Item>) => ({
    description: item.description ?? '',
    quantity: item.quantity ?? '1',
    unit_price: item.unit_price ?? '',
  }))
}
