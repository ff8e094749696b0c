import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { formatNumber, isOfPattern, periodOf } from '#contract/invoicing/invoice-number.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import {
  type InvoiceKind,
  type InvoiceSeries,
  type invoices,
  KINDS,
} from '#contract/invoicing/saved-invoices.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { wrongFields } from './draft-content.ts'
import { keepPattern, nextCount, patternOf, setNextCount, takeCount } from './numbers-store.ts'
import { isNumberTaken } from './store.ts'
import { type Reader, todayOf } from './today.ts'

type Numbered = { kind: InvoiceKind; issue_date: string; typed: string }

/**
 * The number of a document that is being issued. One that the user typed is taken as it is, unless it looks like one of
 * the series: then the series gives it, so that it has no gaps.
 *
 * @throws Refusal 400 when another document has the typed number, or it looks like those of another kind
 */
export async function takeNumber(tx: Tx, userId: number, { kind, issue_date, typed }: Numbered) {
  const pattern = await patternOf(tx, userId, kind)
  if (typed !== '' && !isOfPattern(pattern, typed)) {
    const taker = await otherSeries(tx, userId, kind, (other) => isOfPattern(other, typed))
    if (taker !== null) throw wrongFields({ number: `Numbers like this one are given to ${taker} only` })
    if (await isNumberTaken(tx, userId, typed)) throw numberTaken()
    return typed
  }
  for (;;) {
    const count = await takeCount(tx, userId, { pattern, period: periodOf(pattern, issue_date) })
    const number = formatNumber(pattern, issue_date, count)
    // A number that was typed, or made by an earlier pattern, stands where this series would put its own.
    if (!(await isNumberTaken(tx, userId, number))) return number
  }
}

/**
 * The other kind whose pattern `isLike` this one, as "quotes"; null for none. Two kinds never share numbers: what one of
 * them takes would be a gap in the series of the other.
 */
async function otherSeries(tx: Tx, userId: number, kind: InvoiceKind, isLike: (pattern: string) => boolean) {
  for (const other of KINDS)
    if (other !== kind && isLike(await patternOf(tx, userId, other)))
      return `${KIND_WORDS[other].name.toLowerCase()}s`
  return null
}

export const numberTaken = () => wrongFields({ number: 'Another document has this number already' })

type Proposal = Omit<InvoiceSeries, 'kind'>

/** The number that the next document gets; it is not used up. */
export async function proposeNumber(
  { clock, db }: Context,
  user: Reader,
  kind: InvoiceKind,
  issueDate = todayOf(clock, user.timeZone),
): Promise<Proposal> {
  const pattern = await patternOf(db, user.id, kind)
  let count = await nextCount(db, user.id, { pattern, period: periodOf(pattern, issueDate) })
  while (await isNumberTaken(db, user.id, formatNumber(pattern, issueDate, count))) count += 1
  return { pattern, next: count, next_number: formatNumber(pattern, issueDate, count) }
}

/** How documents of each kind are numbered. */
export async function listSeries(context: Context, user: Reader): Promise<InvoiceSeries[]> {
  const series: InvoiceSeries[] = []
  for (const kind of KINDS) series.push({ kind, ...(await proposeNumber(context, user, kind)) })
  return series
}

/**
 * Chooses a pattern, and the count to go on with in this year or month.
 *
 * @throws Refusal 400 for a count of the past, and for a pattern that another kind has
 */
export async function saveSeries(
  context: Context,
  user: Reader,
  { kind, pattern, next }: BodyOf<typeof invoices.saveSeries>,
): Promise<InvoiceSeries[]> {
  const { clock, db } = context
  const period = periodOf(pattern, todayOf(clock, user.timeZone))
  const first = (series: string) => formatNumber(series, todayOf(clock, user.timeZone), 1)
  await inTransaction(db, async (tx) => {
    const isLike = (other: string) => isOfPattern(other, first(pattern)) || isOfPattern(pattern, first(other))
    const holder = await otherSeries(tx, user.id, kind, isLike)
    if (holder !== null) throw wrongFields({ pattern: `The numbers of ${holder} look like this already` })
    await keepPattern(tx, user.id, kind, pattern)
    if (next !== undefined && !(await setNextCount(tx, user.id, { pattern, period }, next)))
      throw wrongFields({ next: 'This number has been used already' })
    await context.live.publish(tx, user.id, { topic: 'invoices' })
  })
  return listSeries(context, user)
}
