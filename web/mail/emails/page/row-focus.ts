import type { Email } from '#contract/mail/emails.ts'

/** The list as the shortcuts need it: its mails in order, and a function that scrolls one into view. */
export type ListHandle = { rows: readonly Email[]; reveal: (id: number) => void }

/** The mail whose row contains the focus. */
export function focusedMail(): number | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')
  return row === null || row === undefined ? null : Number(row.dataset['row'])
}

/** Focuses a row, after scrolling it into view if it is not rendered yet. */
export function focusRow(list: ListHandle | null, id: number): void {
  if (focusLink(id)) return
  list?.reveal(id)
  focusWhenDrawn(id, FRAMES_MAX)
}

/** A row appears within a few frames after scrolling; on a busy machine it takes more. */
const FRAMES_MAX = 30

function focusWhenDrawn(id: number, frames: number): void {
  requestAnimationFrame(() => {
    if (!focusLink(id) && frames > 0) focusWhenDrawn(id, frames - 1)
  })
}

function focusLink(id: number): boolean {
  const link = document.querySelector<HTMLElement>(`[data-email="${id}"]`)
  // `scrollIntoView` alone is enough: letting the focus scroll as well would cost a second layout.
  link?.focus({ preventScroll: true })
  link?.scrollIntoView({ block: 'nearest' })
  return link !== null
}

/** The mail that follows when some are gone: the first remaining one after `from`, else the last before it. */
export function neighbourOf(
  rows: readonly Email[],
  from: number,
  gone: ReadonlySet<number>,
): Email | undefined {
  const at = rows.findIndex(({ id }) => id === from)
  if (at === -1) return undefined
  const stays = ({ id }: Email) => !gone.has(id)
  return rows.slice(at + 1).find(stays) ?? rows.slice(0, at).findLast(stays)
}
