import { useState } from 'react'
import type { Email } from '#contract/mail/emails.ts'

export type Selection = {
  mails: readonly Email[]
  has: (id: number) => boolean
  /** Selects or deselects a mail; with `rows`, the range from the last selected one. */
  toggle: (mail: Email, rows?: readonly Email[]) => void
  /** Selects or deselects all of these. */
  set: (mails: readonly Email[], chosen: boolean) => void
  clear: () => void
}

/**
 * The selected mails over all pages of one list; `key` identifies the list, and a new one starts without a selection.
 */
export function useSelection(key: string): Selection {
  const [state, setState] = useState<State>({ key, chosen: new Map(), anchor: null })
  const { chosen, anchor } = state.key === key ? state : { chosen: new Map<number, Email>(), anchor: null }
  return {
    mails: [...chosen.values()],
    has: (id) => chosen.has(id),
    toggle: (mail, rows) => {
      const isOn = !chosen.has(mail.id)
      const range = rows === undefined ? [mail] : rangeOf(rows, anchor, mail)
      setState({ key, chosen: withMails(chosen, range, isOn), anchor: mail.id })
    },
    // Mails selected while these were being fetched stay selected.
    set: (mails, on) =>
      setState((now) => {
        const before = now.key === key ? now : { chosen: new Map<number, Email>(), anchor: null }
        return { key, chosen: withMails(before.chosen, mails, on), anchor: before.anchor }
      }),
    clear: () => setState({ key, chosen: new Map(), anchor: null }),
  }
}

type State = { key: string; chosen: ReadonlyMap<number, Email>; anchor: number | null }

function withMails(
  chosen: ReadonlyMap<number, Email>,
  mails: readonly Email[],
  on: boolean,
): ReadonlyMap<number, Email> {
  const next = new Map(chosen)
  for (const mail of mails) {
    if (on) next.set(mail.id, mail)
    else next.delete(mail.id)
  }
  return next
}

/** The range from the anchor to a mail, including both; the mail alone if the anchor is not in the list. */
export function rangeOf(rows: readonly Email[], anchor: number | null, mail: Email): readonly Email[] {
  const from = rows.findIndex(({ id }) => id === anchor)
  const to = rows.findIndex(({ id }) => id === mail.id)
  if (from === -1 || to === -1) return [mail]
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1)
}
