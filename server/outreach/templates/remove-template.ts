import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { noTemplate, refuseTooMany } from './save-template.ts'
import { forgetDeleted, hideTemplate, showTemplate, type TemplateRow } from './store.ts'

/** Deleted templates can be brought back for so long. */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Deletes a template, and for good what was deleted a day ago. @throws Refusal 404 */
export async function removeTemplate(context: Context, userId: number, id: number): Promise<void> {
  const now = context.clock.now()
  await inTransaction(context.db, async (tx) => {
    if (!(await hideTemplate(tx, userId, id, now))) throw noTemplate()
    await forgetDeleted(tx, userId, new Date(now.getTime() - KEPT_MS))
  })
}

/** @throws Refusal 404 when it was never there or is gone for good, 409 when there are too many templates */
export async function restoreTemplate(context: Context, userId: number, id: number): Promise<TemplateRow> {
  const since = new Date(context.clock.now().getTime() - KEPT_MS)
  return inTransaction(context.db, async (tx) => {
    await refuseTooMany(tx, userId)
    const row = await showTemplate(tx, userId, id, since)
    if (row === undefined) throw noTemplate()
    return row
  })
}
