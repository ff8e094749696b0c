import { type InvoiceKind, KIND_WORDS } from '../invoice-kinds.ts'
import { PERCENT_DECIMALS, QUANTITY_DECIMALS } from '../invoice-sums.ts'
import type { Buyer, Counted, InvoiceDraft } from '../invoices.ts'
import { plainAccount, shownIban } from '../bank-account.ts'
import { money, plain } from '../money.ts'
import { postalCountryName } from '../postal-countries.ts'
import { printedReason } from '../vat-category.ts'
import { fitted, jpegSize } from './jpeg-size.ts'
import { lineHeight, type Page, PAGE_HEIGHT, PAGE_WIDTH, Paper } from './paper.ts'
import { LOGO_BOX, SIGNATURE_BOX } from './picture-boxes.ts'
import { type Theme, THEMES } from './themes.ts'
import { makeTypesetter, type Line, type Measure, type Style } from './typeset.ts'

export type InvoiceContent = {
  kind: InvoiceKind
  draft: InvoiceDraft
  /** The number of the invoice that a credit note takes back; null for other documents. */
  credits: string | null
  counted: Counted
  /** What the tax is called ("GST"); "Tax" without a name. */
  taxName: string
  /** Amounts stand as they were typed, because no rate is known. */
  isUnconverted: boolean
}

const ON_ACCENT = '#ffffff'
const FOOT = 50

/**
 * The pages of an invoice: the one description that preview and PDF draw. It is text, in the order in which it is read; lines
 * of the table are never torn from their amounts, and each page repeats the head of the table.
 */
export function layOutInvoice(content: InvoiceContent, measure: Measure): Page[] {
  const theme = THEMES[content.draft.layout]
  const { margin } = theme
  const paper = new Paper(makeTypesetter(measure), { margin, foot: FOOT }, (next) =>
    runningHead(next, theme, content),
  )
  head(paper, theme, content)
  parties(paper, theme, content)
  table(paper, theme, content)
  totals(paper, theme, content)
  signatures(paper, theme, content)
  foot(paper, theme, content)
  return paper.pages
}

const small = (theme: Theme) => theme.size * 0.87
const body = (theme: Theme): Style => ({ size: theme.size, weight: 400, color: theme.ink })
const strong = (theme: Theme): Style => ({ size: theme.size, weight: 600, color: theme.ink })
const label = (theme: Theme): Style => ({ size: small(theme), weight: 400, color: theme.muted })

const businessOf = ({ business_name, name }: Pick<Buyer, 'name' | 'business_name'>) =>
  business_name.trim() === '' ? name.trim() : business_name.trim()

const numberOf = ({ number }: InvoiceDraft) => (number.trim() === '' ? 'Draft' : number.trim())

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** "23 Nov 2026"; the same everywhere. */
export function longDay(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return day === '' ? '' : `${Number(date)} ${MONTHS[Number(month) - 1] ?? ''} ${year}`
}

function servicePeriod({ service_start: from, service_end: to }: InvoiceDraft): string {
  if (from === '' || to === '' || from === to) return longDay(from === '' ? to : from)
  return `${longDay(from)} – ${longDay(to)}`
}

/** What the document is called, in capitals where the layout has its title so. */
function titleOf(theme: Theme, { kind }: InvoiceContent): string {
  const { name } = KIND_WORDS[kind]
  return theme.title.text === theme.title.text.toUpperCase() ? name.toUpperCase() : name
}

const SUM_LABELS = new Set(Object.values(KIND_WORDS).map(({ sum }) => sum))

function head(paper: Paper, theme: Theme, content: InvoiceContent): void {
  const { draft } = content
  const { margin } = paper
  const right = PAGE_WIDTH - margin
  const isBand = theme.head === 'band'
  const bandHeight = 104
  if (isBand) paper.box(0, 0, PAGE_WIDTH, bandHeight, theme.accent)
  if (theme.head === 'edge') paper.box(0, 0, PAGE_WIDTH, 8, theme.accent)
  const title: Style = { ...theme.title, color: isBand ? ON_ACCENT : theme.accent }
  const top = isBand ? 34 : margin
  if (isBand) {
    paper.put(titleOf(theme, content), margin, top - 4, title)
    paper.put(numberOf(draft), right, top + 8, { size: 12, weight: 400, color: ON_ACCENT }, 'right')
    paper.y = bandHeight + theme.gap
    const bottom = logo(paper, draft, margin, paper.y)
    if (bottom > paper.y) paper.y = bottom + theme.gap * 0.6
    return
  }
  const under = logo(paper, draft, margin, top)
  let bottom = under
  if (under === top) {
    const name: Style = { size: theme.title.size * 0.72, weight: 600, color: theme.ink }
    bottom = paper.block(businessOf(draft.seller), { x: margin, y: top, width: paper.width * 0.55 }, name)
  }
  paper.put(titleOf(theme, content), right, top - theme.title.size * 0.2, title, 'right')
  const below = top + lineHeight(theme.title.size) - theme.title.size * 0.2
  paper.put(
    numberOf(draft),
    right,
    below,
    { size: theme.size * 1.1, weight: 400, color: theme.muted },
    'right',
  )
  paper.y = Math.max(bottom, below + lineHeight(theme.size * 1.1)) + theme.gap * 0.7
  if (theme.tableHead === 'rules') {
    paper.box(margin, paper.y, paper.width, 1, theme.ink)
    paper.y += theme.gap * 0.7
  }
}

/** Draws the seller's logo; returns where it ends, or `y` without one. */
function logo(paper: Paper, { seller }: InvoiceDraft, x: number, y: number): number {
  const size = jpegSize(seller.logo)
  if (size === null) return y
  const { width, height } = fitted(size, LOGO_BOX)
  paper.picture(seller.logo, 'Logo', { x, y, width, height })
  return y + height
}

function runningHead(paper: Paper, theme: Theme, { draft, kind }: InvoiceContent): void {
  if (theme.head === 'band') paper.box(0, 0, PAGE_WIDTH, 10, theme.accent)
  if (theme.head === 'edge') paper.box(0, 0, PAGE_WIDTH, 8, theme.accent)
  paper.put(`${KIND_WORDS[kind].name} ${numberOf(draft)}`, paper.margin, paper.y, label(theme))
  paper.put(businessOf(draft.seller), PAGE_WIDTH - paper.margin, paper.y, label(theme), 'right')
  paper.y += lineHeight(theme.size) + theme.gap * 0.5
}

function facts(content: InvoiceContent): [string, string][] {
  const { draft, counted, credits, kind } = content
  const words = KIND_WORDS[kind]
  const all: [string, string][] = [
    [words.number, numberOf(draft)],
    ['For invoice', credits ?? ''],
    ['PO number', draft.po_number.trim()],
    ['Your reference', draft.buyer_reference.trim()],
    ['Issue date', longDay(draft.issue_date)],
    [words.due, kind === 'credit_note' ? '' : longDay(draft.due_date)],
    ['Delivery date', longDay(draft.delivery_date)],
    ['Service period', servicePeriod(draft)],
    [words.sum, counted.sums === null ? '' : money(counted.sums.due, draft.currency)],
  ]
  return all.filter(([, value]) => value !== '')
}

function parties(paper: Paper, theme: Theme, content: InvoiceContent): void {
  const { seller, buyer } = content.draft
  const { margin } = paper
  const isWide = theme.facts === 'cells'
  const gutter = 18
  const columns = isWide ? 2 : 3
  const width = (paper.width - gutter * (columns - 1)) / columns
  const top = paper.y
  const from = party(paper, theme, 'From', seller, { x: margin, y: top, width })
  const to = party(paper, theme, KIND_WORDS[content.kind].buyer, buyer, {
    x: margin + width + gutter,
    y: top,
    width,
  })
  let bottom = Math.max(from, to)
  if (!isWide)
    bottom = Math.max(bottom, factColumn(paper, theme, facts(content), margin + 2 * (width + gutter), width))
  paper.y = bottom + theme.gap
  if (isWide) factCells(paper, theme, facts(content))
}

const joined = (parts: readonly string[], by = ' ') =>
  parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(by)

function party(
  paper: Paper,
  theme: Theme,
  title: string,
  who: Buyer,
  at: { x: number; y: number; width: number },
): number {
  paper.put(title, at.x, at.y, label(theme))
  let y = at.y + lineHeight(small(theme)) + 3
  const lines: [string, Style][] = [
    [businessOf(who), strong(theme)],
    [who.business_name.trim() === '' ? '' : who.name.trim(), body(theme)],
    [who.address.trim(), body(theme)],
    [joined([who.post_code, who.city]), body(theme)],
    [who.country_code === '' ? '' : postalCountryName(who.country_code), body(theme)],
    [who.email.trim(), body(theme)],
    [who.phone.trim(), body(theme)],
    [who.tax_number.trim() === '' ? '' : `Tax number ${who.tax_number.trim()}`, body(theme)],
  ]
  for (const [text, style] of lines) if (text !== '') y = paper.block(text, { ...at, y }, style)
  return y
}

function factColumn(paper: Paper, theme: Theme, rows: [string, string][], x: number, width: number): number {
  let { y } = paper
  for (const [name, value] of rows) {
    const isDue = SUM_LABELS.has(name)
    paper.put(name, x, y, label(theme))
    y += lineHeight(small(theme))
    const style: Style = isDue ? { size: theme.size * 1.35, weight: 600, color: theme.accent } : body(theme)
    y = paper.block(value, { x, y, width }, style) + theme.rowPad * 0.7
  }
  return y
}

/** The facts in a row of cells; in two rows where one would tear numbers apart. */
function factCells(paper: Paper, theme: Theme, rows: [string, string][]): void {
  const pad = theme.rowPad + 3
  const style = strong(theme)
  const naturalOf = ([name, value]: [string, string]) =>
    Math.max(paper.widthOf(name, label(theme)), paper.widthOf(value, style))
  const needed = rows.reduce((sum, row) => sum + naturalOf(row) + 2 * pad, 0)
  if (needed > paper.width && rows.length > 4) {
    const half = Math.ceil(rows.length / 2)
    factCells(paper, theme, rows.slice(0, half))
    paper.y -= theme.gap
    factCells(paper, theme, rows.slice(half))
    return
  }
  const natural = rows.map(naturalOf)
  const spare = (paper.width - natural.reduce((sum, width) => sum + width, 0)) / rows.length - 2 * pad
  const widths = natural.map((width) => (spare < 0 ? paper.width / rows.length : width + 2 * pad + spare))
  const values = rows.map(([, value], index) => paper.lines(value, (widths[index] ?? 0) - 2 * pad, style))
  const most = Math.max(...values.map((lines) => lines.length))
  const height = 2 * pad + lineHeight(small(theme)) + most * lineHeight(style.size)
  paper.box(paper.margin, paper.y, paper.width, height, theme.soft)
  let x = paper.margin + pad
  for (const [index, [name]] of rows.entries()) {
    paper.put(name, x, paper.y + pad, label(theme))
    for (const [line, value] of (values[index] ?? []).entries())
      paper.put(value, x, paper.y + pad + lineHeight(small(theme)) + line * lineHeight(style.size), style)
    x += widths[index] ?? 0
  }
  paper.y += height + theme.gap
}

type Column = { name: string; cells: string[]; width: number }

/** The columns right of the description; discount and tax only where a line has one. */
function columnsOf(paper: Paper, theme: Theme, { draft, counted }: InvoiceContent): Column[] {
  const { lines, nets } = counted
  const percent = (scaled: number) => (scaled === 0 ? '–' : `${plain(scaled, PERCENT_DECIMALS)}%`)
  const all: [string, string[], boolean][] = [
    ['Qty', lines.map(({ quantity }) => plain(quantity, QUANTITY_DECIMALS)), true],
    ['Unit price', lines.map(({ unitPrice }) => money(unitPrice, draft.currency)), true],
    ['Discount', lines.map(({ discount }) => percent(discount)), lines.some(({ discount }) => discount > 0)],
    ['Tax', lines.map(({ tax }) => percent(tax)), lines.some(({ tax }) => tax > 0)],
    ['Amount', nets.map((net) => (net === null ? '–' : money(net, draft.currency))), true],
  ]
  const style = body(theme)
  return all
    .filter(([, , isShown]) => isShown)
    .map(([name, cells]) => {
      const widest = Math.max(
        paper.widthOf(name, { ...style, weight: 600 }),
        ...cells.map((cell) => paper.widthOf(cell, style)),
      )
      return { name, cells, width: widest + 14 }
    })
}

/** Room inside the table's edges, where it has a ground. */
const inset = (theme: Theme) => (theme.tableHead === 'bare' || theme.tableHead === 'rules' ? 0 : 8)

function table(paper: Paper, theme: Theme, content: InvoiceContent): void {
  const { items } = content.draft
  const columns = columnsOf(paper, theme, content)
  const left = paper.margin + inset(theme)
  const right = PAGE_WIDTH - paper.margin - inset(theme)
  const forText = right - left - columns.reduce((sum, { width }) => sum + width, 0)
  const style = body(theme)
  const step = lineHeight(style.size)
  const rows = items.map((one) => paper.lines(one.description.trim(), Math.max(forText, 60), style))
  paper.keep(headHeight(theme) + rowHeight(theme, rows[0]?.length ?? 1))
  tableHead(paper, theme, columns, left, right)
  const wholePage = paper.bottom - paper.margin - theme.gap - headHeight(theme) - 40
  for (const [index, lines] of rows.entries()) {
    const height = rowHeight(theme, lines.length)
    if (height > paper.room && height <= wholePage) nextTablePage(paper, theme, columns, left, right)
    rowGround(paper, theme, index, Math.min(height, paper.room))
    paper.y += theme.rowPad
    putCells(paper, columns, index, right, style)
    for (const line of lines) {
      // Only a row that is taller than a page comes here.
      if (paper.room < step) nextTablePage(paper, theme, columns, left, right)
      paper.put(line, left, paper.y, style)
      paper.y += step
    }
    paper.y += theme.rowPad
    if (theme.rows === 'lines') paper.box(paper.margin, paper.y, paper.width, 0.5, theme.line)
  }
}

const headHeight = (theme: Theme) => lineHeight(small(theme)) + 2 * theme.rowPad + 2
const rowHeight = (theme: Theme, lines: number) => lines * lineHeight(theme.size) + 2 * theme.rowPad

function nextTablePage(paper: Paper, theme: Theme, columns: Column[], left: number, right: number): void {
  paper.breakPage()
  tableHead(paper, theme, columns, left, right)
}

function rowGround(paper: Paper, theme: Theme, index: number, height: number): void {
  if (theme.rows === 'zebra' && index % 2 === 1)
    paper.box(paper.margin, paper.y, paper.width, height, theme.soft)
}

function putCells(paper: Paper, columns: Column[], row: number, right: number, style: Style): void {
  let x = right - columns.reduce((sum, { width }) => sum + width, 0)
  for (const { cells, width } of columns) {
    x += width
    paper.put(cells[row] ?? '', x, paper.y, style, 'right')
  }
}

function tableHead(paper: Paper, theme: Theme, columns: Column[], left: number, right: number): void {
  const height = headHeight(theme)
  const isSolid = theme.tableHead === 'solid'
  if (isSolid) paper.box(paper.margin, paper.y, paper.width, height, theme.accent)
  if (theme.tableHead === 'soft') paper.box(paper.margin, paper.y, paper.width, height, theme.soft)
  if (theme.tableHead === 'rules') {
    paper.box(paper.margin, paper.y, paper.width, 0.7, theme.ink)
    paper.box(paper.margin, paper.y + height, paper.width, 0.7, theme.ink)
  }
  if (theme.tableHead === 'bare') paper.box(paper.margin, paper.y + height, paper.width, 0.5, theme.line)
  const color = isSolid ? ON_ACCENT : theme.tableHead === 'soft' ? theme.accent : theme.muted
  const style: Style = { size: small(theme), weight: 600, color }
  const y = paper.y + theme.rowPad + 1
  paper.put('Description', left, y, style)
  let x = right - columns.reduce((sum, { width }) => sum + width, 0)
  for (const { name, width } of columns) {
    x += width
    paper.put(name, x, y, style, 'right')
  }
  paper.y += height + 1
}

/** The sums on the right, with the remarks. */
function totals(paper: Paper, theme: Theme, content: InvoiceContent): void {
  const { draft, counted, taxName, isUnconverted, kind } = content
  const { sums } = counted
  const sumLabel = KIND_WORDS[kind].sum
  if (sums === null) return remarks(paper, theme, content)
  const show = (minor: number) => money(minor, draft.currency)
  const rows: [string, string][] = [['Subtotal', show(sums.net)]]
  for (const { percent, tax } of sums.taxes)
    rows.push([`${taxName} ${plain(percent, PERCENT_DECIMALS)}%`, show(tax)])
  if (sums.discount > 0) rows.push(['Discount', show(-sums.discount)])
  // The total of a quote is its last line.
  if (kind !== 'quote') rows.push(['Total', show(sums.total)])
  if (sums.paid > 0) rows.push(['Amount paid', show(-sums.paid)])
  const isBox = theme.total === 'box'
  const due: Style = { size: theme.size * 1.3, weight: 600, color: isBox ? ON_ACCENT : theme.accent }
  const widest = paper.widthOf(sumLabel, due) + paper.widthOf(show(sums.due), due)
  const width = Math.max(210, widest + 50)
  const right = PAGE_WIDTH - paper.margin
  const inner = right - inset(theme)
  const x = right - width
  const step = lineHeight(theme.size) + theme.rowPad * 0.8
  const dueHeight = lineHeight(due.size) + 2 * theme.rowPad + 4
  const height = rows.length * step + dueHeight
  paper.keep(height + theme.gap * 0.5)
  paper.y += theme.gap * 0.5
  const top = paper.y
  for (const [name, value] of rows) {
    const style = name === 'Total' ? strong(theme) : body(theme)
    paper.put(name, x + inset(theme), paper.y, {
      ...style,
      color: name === 'Total' ? theme.ink : theme.muted,
    })
    paper.put(value, inner, paper.y, style, 'right')
    paper.y += step
  }
  if (isBox) paper.box(x, paper.y, width, dueHeight, theme.accent)
  else if (theme.total === 'rules') paper.box(x, paper.y, width, 1, theme.ink)
  else paper.box(x, paper.y, width, 0.5, theme.line)
  paper.put(sumLabel, x + inset(theme), paper.y + theme.rowPad + 2, due)
  paper.put(show(sums.due), inner, paper.y + theme.rowPad + 2, due, 'right')
  paper.y += dueHeight
  if (isUnconverted) {
    const words = `The amounts are not converted: no exchange rate to ${draft.currency} was known.`
    for (const line of paper.lines(words, width - inset(theme), label(theme))) {
      paper.keep(lineHeight(small(theme)))
      paper.put(line, inner, paper.y, label(theme), 'right')
      paper.y += lineHeight(small(theme))
    }
  }
  remarks(paper, theme, content, { y: top, width: x - paper.margin - 28, height })
}

/** What stands below the sums, or beside them: each with its title. */
function remarksOf({ draft, kind }: InvoiceContent): [string, string][] {
  const { iban, bic } = draft.seller
  const account = [
    iban.trim() === '' ? '' : `IBAN ${shownIban(iban)}`,
    bic.trim() === '' ? '' : `BIC ${plainAccount(bic)}`,
  ]
  const all: [string, string][] = [
    ['Tax', printedReason(draft)],
    // Only an invoice is paid into the seller's account.
    ['Bank details', kind === 'invoice' ? joined(account, '\n') : ''],
    ['Notes', draft.notes.trim()],
  ]
  return all.filter(([, text]) => text !== '')
}

/** As many remarks as there is room for stand beside the sums, the others below. */
function remarks(
  paper: Paper,
  theme: Theme,
  content: InvoiceContent,
  beside: { y: number; width: number; height: number } = { y: 0, width: 0, height: 0 },
): void {
  const style = body(theme)
  const step = lineHeight(style.size)
  const titleHeight = lineHeight(small(theme)) + 3
  const rest = remarksOf(content)
  let used = 0
  for (const [title, text] of beside.width >= 120 ? [...rest] : []) {
    const narrow = paper.lines(text, beside.width, style)
    const height = titleHeight + narrow.length * step
    if (used + height > beside.height) break
    paper.put(title, paper.margin, beside.y + used, label(theme))
    for (const [index, line] of narrow.entries())
      paper.put(line, paper.margin, beside.y + used + titleHeight + index * step, style)
    used += height + theme.gap * 0.4
    rest.shift()
  }
  for (const [title, text] of rest) {
    const lines = paper.lines(text, Math.min(paper.width, 400), style)
    paper.y += theme.gap * 0.8
    paper.keep(titleHeight + Math.min(lines.length, 3) * step)
    paper.put(title, paper.margin, paper.y, label(theme))
    paper.y += titleHeight
    for (const line of lines) putInFlow(paper, line, style)
  }
}

function putInFlow(paper: Paper, line: Line, style: Style): void {
  paper.keep(lineHeight(style.size))
  paper.put(line, paper.margin, paper.y, style)
  paper.y += lineHeight(style.size)
}

function signatures(paper: Paper, theme: Theme, { draft }: InvoiceContent): void {
  const signed = [draft.seller, draft.buyer].map((who, index) => ({
    who,
    size: jpegSize(who.signature),
    x: index === 0 ? paper.margin : PAGE_WIDTH - paper.margin - SIGNATURE_BOX.width,
    words: index === 0 ? 'Signature of the seller' : 'Signature of the buyer',
  }))
  if (signed.every(({ size }) => size === null)) return
  paper.y += theme.gap * 0.8
  paper.keep(SIGNATURE_BOX.height + lineHeight(theme.size) + 8)
  for (const { who, size, x, words } of signed) {
    if (size === null) continue
    const { width, height } = fitted(size, SIGNATURE_BOX)
    paper.picture(who.signature, words, { x, y: paper.y + SIGNATURE_BOX.height - height, width, height })
    const under = paper.y + SIGNATURE_BOX.height + 4
    paper.box(x, under, SIGNATURE_BOX.width, 0.5, theme.muted)
    const name = paper.lines(
      who.name.trim() === '' ? words : who.name.trim(),
      SIGNATURE_BOX.width,
      label(theme),
    )[0]
    if (name !== undefined) paper.put(name, x, under + 4, label(theme))
  }
  paper.y += SIGNATURE_BOX.height + 2 * lineHeight(theme.size)
}

/** "Page 2 of 5" below every page; only now the number of pages is known. */
function foot(paper: Paper, theme: Theme, { draft }: InvoiceContent): void {
  const style = label(theme)
  const y = PAGE_HEIGHT - FOOT / 2 - style.size
  const right = PAGE_WIDTH - paper.margin
  const count = paper.pages.length
  const seller = joined([businessOf(draft.seller), draft.seller.email], ' · ')
  for (const index of paper.pages.keys()) {
    paper.on(index, () => {
      paper.box(paper.margin, y - 8, paper.width, 0.5, theme.line)
      const first = paper.lines(seller, paper.width - 90, style)[0]
      if (first !== undefined) paper.put(first, paper.margin, y, style)
      paper.put(`Page ${index + 1} of ${count}`, right, y, style, 'right')
    })
  }
}
