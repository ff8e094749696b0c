import { useState } from 'react'
import type { Selection } from '#contract/crm/contacts.ts'
import type { Filters } from './contact-filters.ts'
import { queryOf } from './contact-filters.ts'

/** The selected contacts: single ones over all pages, or all that match the filter. */
export type ContactSelection = {
  /** How many contacts are selected, as far as known. */
  count: number
  isAll: boolean
  ids: readonly number[]
  has: (id: number) => boolean
  /** Selects or deselects a contact; with `rows`, the range from the last selected one. */
  toggle: (id: number, rows?: readonly number[]) => void
  /** Selects or deselects all of these. */
  set: (ids: readonly number[], chosen: boolean) => void
  /** Selects everything that matches the filter. */
  all: (total: number) => void
  clear: () => void
  /** The selection as the API takes it. */
  asked: Selection
}

type State = { key: string; ids: ReadonlySet<number>; anchor: number | null; all: number | null }

/** The selection of one list; it is cleared when the filters change. */
export function useContactSelection(filters: Filters): ContactSelection {
  const key = JSON.stringify(filters)
  const [state, setState] = useState<State>({ key, ids: new Set(), anchor: null, all: null })
  const { ids, anchor, all } = state.key === key ? state : { ids: new Set<number>(), anchor: null, all: null }
  const put = (next: Partial<State>) => setState({ key, ids, anchor, all: null, ...next })
  return {
    count: all ?? ids.size,
    isAll: all !== null,
    ids: [...ids],
    has: (id) => all !== null || ids.has(id),
    toggle: (id, rows) => {
      // Deselecting one contact ends "all that match": the other visible contacts stay selected.
      const chosen = all === null ? ids : new Set(rows ?? [])
      const isOn = !(all !== null || ids.has(id))
      const range = rows === undefined || all !== null ? [id] : rangeOf(rows, anchor, id)
      put({ ids: withIds(chosen, range, isOn), anchor: id })
    },
    set: (some, on) => put({ ids: withIds(all === null ? ids : new Set(), some, on) }),
    all: (total) => put({ all: total }),
    clear: () => put({ ids: new Set(), anchor: null }),
    asked: all === null ? { ids: [...ids], expected: ids.size } : { filter: queryOf(filters), expected: all },
  }
}

function withIds(ids: ReadonlySet<number>, some: readonly number[], on: boolean): ReadonlySet<number> {
  const next = new Set(ids)
  for (const id of some) {
    if (on) next.add(id)
    else next.delete(id)
  }
  return next
}

/** The range from the anchor to a row, including both; the row alone if the anchor is not in the list. */
export function rangeOf(rows: readonly number[], anchor: number | null, id: number): readonly number[] {
  const from = anchor === null ? -1 : rows.indexOf(anchor)
  const to = rows.indexOf(id)
  if (from === -1 || to === -1) return [id]
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1)
}
