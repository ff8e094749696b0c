import { useState } from 'react'
import type { Email } from '#contract/mail/emails.ts'

const NOBODY: ReadonlySet<number> = new Set()

/** Returns whether a row has arrived while the same list was shown; `list` identifies it, null while it loads. */
export function useNewMail(rows: readonly Email[], list: string | null): (id: number) => boolean {
  const [state, setState] = useState({ rows, list, newMail: NOBODY })
  if (state.rows !== rows || state.list !== list) {
    const isSame = state.list === list && list !== null && state.rows.length > 0
    const known = new Set(state.rows.map(({ id }) => id))
    const came = isSame ? rows.filter(({ id }) => !known.has(id)).map(({ id }) => id) : []
    setState({ rows, list, newMail: new Set(came) })
  }
  return (id) => state.newMail.has(id)
}
