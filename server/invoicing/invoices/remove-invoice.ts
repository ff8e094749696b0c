import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../platform/context.ts'
import { isUniqueViolation } from '../../platform/database/transaction.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { getInvoice, lockedInvoice } from './find-invoice.ts'
import { changeInvoice, forgetDeleted, undeleteInvoice } from './store.ts'
import type { Reader } from './today.ts'
import { changing } from '../../platform/changing.ts'

/** A deleted draft can be brought back for this long; then it is removed. */
const UNDO_MS = 60 * 60_000
const FORGET_EVERY_MS = 10 * 60_000
const FORGET_AT_ONCE = 100

/** Deletes a draft. @throws Refusal 404; 409 for an issued document */
export async function removeInvoice(context: Context, user: Reader, id: number): Promise<void> {
  await changing(context, user.id, 'invoices', async (tx) => {
    const row = await lockedInvoice(tx, user.id, id)
    if (row.issued_at !== null)
      throw conflict(
        row.kind === 'quote'
          ? 'An issued quote cannot be deleted, because its number is taken. Mark it as declined if it no longer counts.'
          : 'An issued document cannot be deleted, because its number is taken. A credit note takes it back.',
      )
    const now = context.clock.now()
    await changeInvoice(tx, user.id, id, { deleted_at: now }, now)
  })
}

/** Brings a deleted draft back. @throws Refusal 404; 409 when its quote has become another invoice since */
export async function restoreInvoice(context: Context, user: Reader, id: number): Promise<Invoice> {
  try {
    await changing(context, user.id, 'invoices', async (tx) => {
      if (!(await undeleteInvoice(tx, user.id, id, context.clock.now())))
        throw notFound('This can no longer be undone.')
    })
  } catch (error) {
    if (isUniqueViolation(error, 'invoices_of_quote'))
      throw conflict('Another invoice has been made from its quote since.')
    throw error
  }
  return getInvoice(context, user, id)
}

/** Starts the loop that removes drafts whose deletion can no longer be undone. */
export function startForgettingDrafts(context: Context): Loop {
  return startLoop(context, 'forget deleted drafts', FORGET_EVERY_MS, async () => {
    let forgotten = FORGET_AT_ONCE
    while (forgotten === FORGET_AT_ONCE && !context.stopping.aborted) {
      const before = new Date(context.clock.now().getTime() - UNDO_MS)
      forgotten = await forgetDeleted(context.db, before, FORGET_AT_ONCE)
    }
  })
}
