import type { Given, QueryOf } from '#contract/platform/endpoint.ts'
import { countInvoice } from '#contract/invoicing/invoices.ts'
import type { RecurringInvoice, recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import type { Context } from '../../../platform/context.ts'
import { notFound } from '../../../platform/errors.ts'
import { currentRates } from '../../rates/rates.ts'
import { rateIn } from '../save-draft.ts'
import type { Reader } from '../today.ts'
import { countRecurring, findRecurring, type ListedRecurring, listRecurring } from './recurring-store.ts'

const LIST_MAX = 1000

/** A page of the user's recurring invoices. */
export async function pageOfRecurring(
  context: Context,
  user: Reader,
  { page, page_size, limit }: QueryOf<typeof recurringInvoices.list>,
): Promise<{ rows: Given<RecurringInvoice>[]; total: number; page: number; pageSize: number }> {
  const pageSize = page_size ?? limit ?? LIST_MAX
  const [rates, rows, { all }] = await Promise.all([
    currentRates(context),
    listRecurring(context.db, user.id, { limit: pageSize, offset: (page - 1) * pageSize }),
    countRecurring(context.db, user.id),
  ])
  return { rows: rows.map((row) => presentRecurring(row, rates)), total: all, page, pageSize }
}

/** One of them. @throws Refusal 404 */
export async function getRecurring(
  context: Context,
  user: Reader,
  id: number,
): Promise<Given<RecurringInvoice>> {
  const row = await findRecurring(context.db, user.id, id)
  if (row === undefined) throw noRecurring()
  return presentRecurring(row, await currentRates(context))
}

export const noRecurring = () => notFound('This recurring invoice does not exist.')

function presentRecurring(row: ListedRecurring, rates: Awaited<ReturnType<typeof currentRates>>) {
  const { last_id: id, last_number: number, last_phase: status, last_issue_date: issueDate } = row
  const last = { number: number ?? '', status: status ?? '', issue_date: issueDate ?? '' }
  const { sums } = countInvoice(row.content, rateIn(rates, row.content).rate)
  return { ...row, total: sums?.total ?? null, last: id === null ? null : { id, ...last } }
}
