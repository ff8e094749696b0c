import type { ImportUndo } from '#contract/crm/contact-imports.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import { startNoSequences } from '../contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/errors.ts'
import type { Origin } from '../../platform/http/origin.ts'
import { getImport, keptSince } from './find-import.ts'
import {
  countUndo,
  type ImportRow,
  markUndone,
  removeAdditions,
  restoreChanges,
  takeOffTags,
} from './imports-store.ts'
import { changing } from '../../platform/changing.ts'

/**
 * What undoing an import would do, in figures and in a sentence.
 *
 * @throws Refusal 404; 409 for one that was not run, was undone already or is older than seven days
 */
export async function planUndo(context: Context, userId: number, id: number): Promise<ImportUndo> {
  const { row, at } = await undoable(context, userId, id)
  const counts = await countUndo(context.db, row, at)
  return { ...counts, message: sentence(counts) }
}

/**
 * Undoes an import in one transaction: contacts that it added are removed unless they were mailed or edited since;
 * values that it changed are restored unless they were changed again.
 *
 * @throws Refusal as `planUndo`
 */
export async function undoImport(
  context: Context,
  userId: number,
  id: number,
  origin: Origin,
): Promise<ImportUndo> {
  const { row, at } = await undoable(context, userId, id)
  return changing(context, userId, 'contacts', async (tx) => {
    const now = context.clock.now()
    if (!(await markUndone(tx, row, now))) throw undoneAlready()
    await startNoSequences(tx)
    const { keep } = await countUndo(tx, row, at)
    const restore = await restoreChanges(tx, row, now)
    const remove = await removeAdditions(tx, row, at)
    await takeOffTags(tx, row)
    await noteActivity(context, tx, { type: 'import_undone', user: userId, origin, detail: row.file_name })
    const kept = keep === 0 ? '' : `, kept ${count(keep)} that were mailed or edited since`
    return { remove, keep, restore, message: `Removed ${count(remove)}, restored ${count(restore)}${kept}` }
  })
}

async function undoable(context: Context, userId: number, id: number): Promise<{ row: ImportRow; at: Date }> {
  const row = await getImport(context, userId, id)
  if (row.finished_at === null) throw conflict('This file has not been imported yet.')
  if (row.undone_at !== null) throw undoneAlready()
  if (row.finished_at <= keptSince(context.clock.now())) {
    throw conflict('An import can be undone for 7 days. This one is older.')
  }
  return { row, at: row.finished_at }
}

const undoneAlready = () => conflict('This import was undone already.')

const count = (number: number) => number.toLocaleString('en')
const contacts = (number: number) => (number === 1 ? '1 contact' : `${count(number)} contacts`)

function sentence({ remove, restore, keep }: { remove: number; restore: number; keep: number }): string {
  const acts = [
    ...(remove > 0 ? [`removes ${contacts(remove)} that the import added`] : []),
    ...(restore > 0 ? [`gives ${contacts(restore)} the old values back`] : []),
  ]
  const stay = `${contacts(keep)} stay${keep === 1 ? 's' : ''}, mailed or edited since`
  if (acts.length === 0)
    return keep > 0 ? `Nothing changes: ${stay}.` : 'Nothing of this import is left to undo.'
  return `This ${acts.join(' and ')}.${keep > 0 ? ` ${stay.charAt(0).toUpperCase()}${stay.slice(1)}.` : ''}`
}
