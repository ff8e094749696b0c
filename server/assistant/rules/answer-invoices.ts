import { money } from '#contract/invoicing/money.ts'
import type { InvoiceFilter } from '#contract/invoicing/saved-invoices.ts'
import { pageOfInvoices } from '../../invoicing/invoices/invoices.ts'
import { figuresOf } from '../tools/read-figures.ts'
import { invoiceFacts } from '../tools/read-invoices.ts'
import { countWords, dayOf, shownWords } from '../tools/shown-words.ts'
import { pageSource } from '../tools/sources.ts'
import { list, state } from './answer.ts'
import { answerPartly } from './answer-talk.ts'
import { saidPeriod } from './said-time.ts'
import { unknownWords } from './unknown-words.ts'
import { cleanName, contactsNearly } from './who.ts'
import type { RuleCall } from './rule-call.ts'

const FILTERS: readonly [InvoiceFilter, RegExp, string][] = [
  ['overdue', /\boverdue\b|\blate\b/i, 'overdue'],
  ['draft', /\bdrafts?\b/i, 'in draft'],
  [
    'open',
    /\bopen\b|\bunpaid\b|\boutstanding\b|\bow(?:es?|ed|ing)\b|\bpending\b|\bnot (?:been |yet )?paid\b|n't (?:been )?paid\b/i,
    'open',
  ],
  ['paid', /\bpaid\b/i, 'paid'],
]
const ALL = ['all', /./, ''] as const

/** Invoices by status and customer. Of one customer all are shown: whether they are paid stands there. */
export async function answerInvoices(call: RuleCall): Promise<void> {
  const { asking, answer, question } = call
  const { text } = question
  const customer = cleanName(unknownWords(text).join(' '))
  const [status, , words] = FILTERS.find(([, said]) => said.test(text)) ?? ALL
  const isOfOne = customer !== ''
  const period = saidPeriod(text, asking.context.clock.now(), asking.user.timeZone)
  // "Not due yet" is none of the lists.
  const [not] = /\bnot\b|n't\b|\bnever\b/i.exec(text) ?? []
  if (not !== undefined && status !== 'open') return answerPartly(call, [not])
  // Lists have no days.
  if (period !== null && period.words !== 'today') return answerPartly(call, [period.words])
  const of = isOfOne ? ` of “${shownWords(customer, 80)}”` : ''
  const ask = (search: string) =>
    invoiceFacts(asking, { search, status: isOfOne && status === 'paid' ? 'all' : status, limit: 10 })
  let found = await ask(customer)
  if (isOfOne && found.total === 0) {
    const [near, other] = await contactsNearly(asking, customer)
    if (near !== undefined && other === undefined) found = await ask(near.name || near.email)
  }
  const that = words === '' || (isOfOne && status === 'paid') ? '' : ` that are ${words}`
  if (isOfOne && found.total === 0)
    return void answer.lines.push(`I found no invoices${of}${that}. Please check the name.`)
  list(answer, `Invoices${of}${that}:`, found, `There are no invoices${that}.`)
  if (!isOfOne) for (const fact of (await figuresOf(asking, ['invoices'])).facts) state(answer, fact)
}

/** Invoices that are added up, the newest first. */
const ADDED_UP = 500

/** What was invoiced in a span of days, or in all: issued invoices, by currency. */
export async function answerRevenue({ asking, answer, question }: RuleCall): Promise<void> {
  const period = saidPeriod(question.text, asking.context.clock.now(), asking.user.timeZone)
  const today = dayOf(asking.context.clock.now(), asking.user.timeZone)
  if (period !== null && period.from > today)
    return void answer.lines.push(`I cannot know what you will invoice ${period.words}.`)
  const { rows, total } = await pageOfInvoices(asking.context, asking.user, {
    search: '',
    status: 'all',
    sort: 'newest',
    page: 1,
    page_size: ADDED_UP,
  })
  if (total > ADDED_UP)
    return void answer.lines.push(
      `I cannot add up more than ${ADDED_UP} invoices. The page Invoices shows what is outstanding.`,
    )
  const counted = rows.filter(
    (row) =>
      row.kind === 'invoice' &&
      row.status !== 'draft' &&
      (period === null || (row.issue_date >= period.from && row.issue_date <= period.to)),
  )
  const sums = new Map<string, number>()
  for (const { currency, sums: sum } of counted) sums.set(currency, (sums.get(currency) ?? 0) + sum.total)
  const amounts = [...sums].map(([currency, sum]) => money(sum, currency)).join(' and ')
  const when = period === null ? 'in all' : period.words
  state(answer, {
    text:
      counted.length === 0
        ? `You have issued no invoices ${when}.`
        : `You have invoiced ${amounts} ${when}, in ${countWords(counted.length, 'invoice')}. That is what was billed, taxes included, not what was paid.`,
    source: pageSource('Invoices', '/invoices/all'),
  })
}
