import type { Email } from '#contract/emails.ts'

/** The list as keys see it: its mails in order, and the way to bring one into view. */
export type ListHandle = { rows: readonly Email[]; reveal: (id: number) => void }

/** The mail whose row, or something in it, has the focus. */
export function focusedMail(): number | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')
  return row === null || row === undefined ? null : Number(row.dataset['row'])
}

/** Gives a row the focus; one that is not drawn yet is brought into view first. */
export function focusRow(list: ListHandle | null, id: number): void {
  if (focusLink(id)) return
  list?.reveal(id)
  focusWhenDrawn(id, FRAMES_MAX)
}

/** A row that was scrolled to is drawn within a few frames; on a busy machine it takes some more. */
const FRAMES_MAX = 30

function focusWhenDrawn(id: number, frames: number): void {
  requestAnimationFrame(() => {
    if (!focusLink(id) && frames > 0) focusWhenDrawn(id, frames - 1)
  })
}

function focusLink(id: number): boolean {
  const link = document.querySelector<HTMLElement>(`[data-email="${id}"]`)
  // Once is enough: what the focus brings into view on its own is laid out a second time.
  link?.focus({ preventScroll: true })
  link?.scrollIntoView({ block: 'nearest' })
  return link !== null
}

/** Who comes next when these are gone: the first after `from` that stays, else the last before it. */
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
