import { ibanFault } from '#contract/invoicing/bank-account.ts'
import { CURRENCIES } from '#contract/invoicing/money.ts'
import { POSTAL_COUNTRIES } from '#contract/invoicing/postal-countries.ts'
import { readTerms, type ReadInvoice, type Terms } from './e-invoice-terms.ts'

// The business rules of EN 16931-1 and of XRechnung 3.0 for what an invoice of Howl can say. Rules about groups that Howl
// never writes (payees, tax representatives, direct debit, cards, attachments, charges) are left out, apart from those that
// count document allowances and charges.

type Rule = { id: string; holds: (invoice: ReadInvoice) => boolean }

/** Decimals as integers of a millionth. */
const SCALE = 6
const ONE = 10n ** BigInt(SCALE)

/** @throws where it is no decimal */
function number(text: string | undefined): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text ?? '') ?? []
  if (whole === '') throw new Error(`This is not a number: ${text}`)
  const size = BigInt(whole + part.padEnd(SCALE, '0'))
  return sign === '-' ? -size : size
}
const numberOr0 = (text: string | undefined) => (text === undefined ? 0n : number(text))
const sum = (texts: readonly (string | undefined)[]) => texts.reduce((all, one) => all + numberOr0(one), 0n)

/** Rounded to two decimals, a half away from zero. */
function cents(scaled: bigint): bigint {
  const unit = ONE / 100n
  const size = scaled < 0n ? -scaled : scaled
  const rounded = ((size + unit / 2n) / unit) * unit
  return scaled < 0n ? -rounded : rounded
}
const abs = (scaled: bigint) => (scaled < 0n ? -scaled : scaled)

const has = (terms: Terms, ...names: string[]) =>
  names.every((name) => terms[name] !== undefined && terms[name] !== '')
const isThere = (terms: Terms, group: string) => terms[group] !== undefined
const rules: Rule[] = []
const rule = (id: string, holds: Rule['holds']) => rules.push({ id, holds })
const needs = (id: string, term: string) => rule(id, ({ terms }) => has(terms, term))
const eachLine = (id: string, holds: (line: Terms, invoice: ReadInvoice) => boolean) =>
  rule(id, (invoice) => invoice.lines.every((line) => holds(line, invoice)))
const eachBreakdown = (id: string, holds: (one: Terms, invoice: ReadInvoice) => boolean) =>
  rule(id, (invoice) => invoice.breakdown.every((one) => holds(one, invoice)))

// Required terms.
needs('BR-01', 'BT-24')
needs('BR-02', 'BT-1')
needs('BR-03', 'BT-2')
needs('BR-04', 'BT-3')
needs('BR-05', 'BT-5')
needs('BR-06', 'BT-27')
needs('BR-07', 'BT-44')
rule('BR-08', ({ terms }) => isThere(terms, 'BG-5'))
needs('BR-09', 'BT-40')
rule('BR-10', ({ terms }) => isThere(terms, 'BG-8'))
needs('BR-11', 'BT-55')
needs('BR-12', 'BT-106')
needs('BR-13', 'BT-109')
needs('BR-14', 'BT-112')
needs('BR-15', 'BT-115')
rule('BR-16', ({ lines }) => lines.length > 0)
eachLine('BR-21', (line) => has(line, 'BT-126'))
eachLine('BR-22', (line) => has(line, 'BT-129'))
eachLine('BR-23', (line) => has(line, 'BT-130'))
eachLine('BR-24', (line) => has(line, 'BT-131'))
eachLine('BR-25', (line) => has(line, 'BT-153'))
eachLine('BR-26', (line) => has(line, 'BT-146'))
eachLine('BR-27', (line) => number(line['BT-146']) >= 0n)
rule(
  'BR-29',
  ({ terms }) => !has(terms, 'BT-73', 'BT-74') || (terms['BT-74'] ?? '') >= (terms['BT-73'] ?? ''),
)
eachLine('BR-41', (line) => !isThere(line, 'BG-27') || has(line, 'BT-136'))
eachLine('BR-42', (line) => !isThere(line, 'BG-27') || has(line, 'BT-139') || has(line, 'BT-140'))
eachBreakdown('BR-45', (one) => has(one, 'BT-116'))
eachBreakdown('BR-46', (one) => has(one, 'BT-117'))
eachBreakdown('BR-47', (one) => has(one, 'BT-118'))
eachBreakdown('BR-48', (one) => has(one, 'BT-119') || one['BT-118'] === 'O')
rule('BR-49', ({ terms }) => !isThere(terms, 'BG-16') || has(terms, 'BT-81'))
rule('BR-50', ({ terms }) => !isThere(terms, 'BG-17') || has(terms, 'BT-84'))
rule('BR-55', ({ terms }) => !isThere(terms, 'BG-3') || has(terms, 'BT-25'))
rule('BR-57', ({ terms }) => !isThere(terms, 'BG-15') || has(terms, 'BT-80'))
rule('BR-61', ({ terms }) => !['30', '58'].includes(terms['BT-81'] ?? '') || has(terms, 'BT-84'))
rule('BR-62', ({ terms }) => !isThere(terms, 'BT-34') || has(terms, 'BT-34-scheme'))
rule('BR-63', ({ terms }) => !isThere(terms, 'BT-49') || has(terms, 'BT-49-scheme'))

// Conditions between terms.
eachLine('BR-CO-04', (line) => has(line, 'BT-151'))
rule('BR-CO-09', ({ terms }) =>
  ['BT-31', 'BT-48'].every(
    (term) => !has(terms, term) || isCountry((terms[term] ?? '').slice(0, 2).replace('EL', 'GR')),
  ),
)
rule('BR-CO-10', ({ terms, lines }) => number(terms['BT-106']) === sum(lines.map((line) => line['BT-131'])))
rule('BR-CO-11', ({ terms, allowances }) => numberOr0(terms['BT-107']) === sum(allowances))
rule('BR-CO-12', ({ terms, charges }) => numberOr0(terms['BT-108']) === sum(charges))
rule(
  'BR-CO-13',
  ({ terms }) =>
    number(terms['BT-109']) ===
    number(terms['BT-106']) - numberOr0(terms['BT-107']) + numberOr0(terms['BT-108']),
)
rule(
  'BR-CO-14',
  ({ terms, breakdown }) => number(terms['BT-110']) === sum(breakdown.map((one) => one['BT-117'])),
)
rule(
  'BR-CO-15',
  ({ terms }) => number(terms['BT-112']) === number(terms['BT-109']) + numberOr0(terms['BT-110']),
)
rule(
  'BR-CO-16',
  ({ terms }) => number(terms['BT-115']) === number(terms['BT-112']) - numberOr0(terms['BT-113']),
)
// The published checks allow a difference of one; the standard does not.
eachBreakdown(
  'BR-CO-17',
  (one) =>
    number(one['BT-117']) === cents((number(one['BT-116']) * numberOr0(one['BT-119'])) / (100n * ONE)) ||
    isWholeCurrency(one),
)
rule('BR-CO-18', ({ breakdown }) => breakdown.length > 0)
rule('BR-CO-19', ({ terms }) => !isThere(terms, 'BG-14') || has(terms, 'BT-73') || has(terms, 'BT-74'))
rule('BR-CO-25', ({ terms }) => number(terms['BT-115']) <= 0n || has(terms, 'BT-9') || has(terms, 'BT-20'))
rule('BR-CO-26', ({ terms }) => has(terms, 'BT-29') || has(terms, 'BT-31'))

/** A yen has no hundredths: the tax is rounded to a whole one. */
function isWholeCurrency(one: Terms): boolean {
  const isWhole = !(one['BT-116'] ?? '').includes('.') && !(one['BT-117'] ?? '').includes('.')
  const exact = (number(one['BT-116']) * numberOr0(one['BT-119'])) / (100n * ONE)
  return isWhole && abs(number(one['BT-117']) - exact) * 2n <= ONE
}

// Each category of VAT.
type Category = { name: string; code: string; hasReason: boolean; isTaxed: boolean }
const CATEGORIES: readonly Category[] = [
  { name: 'S', code: 'S', hasReason: false, isTaxed: true },
  { name: 'Z', code: 'Z', hasReason: false, isTaxed: false },
  { name: 'E', code: 'E', hasReason: true, isTaxed: false },
  { name: 'AE', code: 'AE', hasReason: true, isTaxed: false },
  { name: 'IC', code: 'K', hasReason: true, isTaxed: false },
  { name: 'G', code: 'G', hasReason: true, isTaxed: false },
  { name: 'O', code: 'O', hasReason: true, isTaxed: false },
]
for (const { name, code, hasReason, isTaxed } of CATEGORIES) {
  const own = ({ breakdown }: ReadInvoice) => breakdown.filter((one) => one['BT-118'] === code)
  const ownLines = ({ lines }: ReadInvoice) => lines.filter((line) => line['BT-151'] === code)
  rule(`BR-${name}-01`, (invoice) => {
    const { length } = own(invoice)
    if (ownLines(invoice).length === 0) return length === 0
    return isTaxed ? length > 0 : length === 1
  })
  rule(`BR-${name}-02`, (invoice) => ownLines(invoice).length === 0 || hasParties(code, invoice.terms))
  eachLine(`BR-${name}-05`, (line) => line['BT-151'] !== code || hasRightRate(code, line['BT-152']))
  rule(`BR-${name}-08`, (invoice) =>
    own(invoice).every((one) => {
      const same = ownLines(invoice).filter((line) => !isTaxed || line['BT-152'] === one['BT-119'])
      return number(one['BT-116']) === sum(same.map((line) => line['BT-131']))
    }),
  )
  rule(`BR-${name}-09`, (invoice) =>
    own(invoice).every((one) => (isTaxed ? has(one, 'BT-117') : number(one['BT-117']) === 0n)),
  )
  rule(`BR-${name}-10`, (invoice) =>
    own(invoice).every((one) => (has(one, 'BT-120') || has(one, 'BT-121')) === hasReason),
  )
}

function hasParties(code: string, terms: Terms): boolean {
  const hasVat = has(terms, 'BT-31')
  if (code === 'O') return !hasVat && !has(terms, 'BT-48')
  if (code === 'G') return hasVat
  if (code === 'K') return hasVat && has(terms, 'BT-48')
  const isKnown = hasVat || has(terms, 'BT-32')
  return code === 'AE' ? isKnown && (has(terms, 'BT-48') || has(terms, 'BT-47')) : isKnown
}

function hasRightRate(code: string, rate: string | undefined): boolean {
  if (code === 'O') return rate === undefined
  return code === 'S' ? number(rate) > 0n : number(rate) === 0n
}

const hasCategory = ({ breakdown }: ReadInvoice, code: string) =>
  breakdown.some((one) => one['BT-118'] === code)
rule(
  'BR-IC-11',
  (invoice) => !hasCategory(invoice, 'K') || has(invoice.terms, 'BT-72') || isThere(invoice.terms, 'BG-14'),
)
rule('BR-IC-12', (invoice) => !hasCategory(invoice, 'K') || has(invoice.terms, 'BT-80'))
rule('BR-O-11', (invoice) => !hasCategory(invoice, 'O') || invoice.breakdown.length === 1)
rule(
  'BR-O-12',
  (invoice) => !hasCategory(invoice, 'O') || invoice.lines.every((line) => line['BT-151'] === 'O'),
)

// No amount has more than two decimals.
const hasTwoDecimals = (text: string | undefined) => text === undefined || /^-?\d+(\.\d{1,2})?$/.test(text)
for (const [id, term] of [
  ['BR-DEC-09', 'BT-106'],
  ['BR-DEC-12', 'BT-109'],
  ['BR-DEC-13', 'BT-110'],
  ['BR-DEC-14', 'BT-112'],
  ['BR-DEC-16', 'BT-113'],
  ['BR-DEC-18', 'BT-115'],
] as const)
  rule(id, ({ terms }) => hasTwoDecimals(terms[term]))
eachBreakdown('BR-DEC-19', (one) => hasTwoDecimals(one['BT-116']))
eachBreakdown('BR-DEC-20', (one) => hasTwoDecimals(one['BT-117']))
eachLine('BR-DEC-23', (line) => hasTwoDecimals(line['BT-131']))
eachLine('BR-DEC-24', (line) => hasTwoDecimals(line['BT-136']))
eachLine('BR-DEC-25', (line) => hasTwoDecimals(line['BT-137']))

// Code lists.
const COUNTRY_CODES = new Set([...POSTAL_COUNTRIES.map(({ code }) => code), 'XI', '1A'])
const isCountry = (code: string) => COUNTRY_CODES.has(code)
const VATEX = /^VATEX-EU-(AE|D|F|G|I|IC|J|O|79-C|132(-1[A-Q])?|143(-1[A-L])?|148(-[A-G])?|151(-1[A-E])?|309)$/
rule('BR-CL-01', ({ terms }) => ['380', '381', '384', '389'].includes(terms['BT-3'] ?? ''))
rule('BR-CL-04', ({ terms }) => CURRENCIES.some(({ code }) => code === terms['BT-5']))
rule('BR-CL-03', ({ terms }) => terms['BT-110-currency'] === terms['BT-5'])
rule('BR-CL-14', ({ terms }) =>
  ['BT-40', 'BT-55', 'BT-80'].every((term) => !has(terms, term) || isCountry(terms[term] ?? '')),
)
rule('BR-CL-16', ({ terms }) => !has(terms, 'BT-81') || /^([1-9]|[1-9]\d|ZZZ)$/.test(terms['BT-81'] ?? ''))
eachBreakdown('BR-CL-17', (one) => CATEGORIES.some(({ code }) => code === one['BT-118']))
eachLine('BR-CL-18', (line) => CATEGORIES.some(({ code }) => code === line['BT-151']))
eachBreakdown('BR-CL-22', (one) => !has(one, 'BT-121') || VATEX.test(one['BT-121'] ?? ''))
eachLine('BR-CL-23', (line) => line['BT-130'] === 'C62')
rule('BR-CL-25', ({ terms }) =>
  ['BT-34', 'BT-49'].every(
    (term) => !isThere(terms, term) || /^(EM|0\d{3}|9\d{3})$/.test(terms[`${term}-scheme`] ?? ''),
  ),
)
rule('calendar days', ({ terms, syntax }) =>
  ['BT-2', 'BT-9', 'BT-72', 'BT-73', 'BT-74'].every(
    (term) =>
      !isThere(terms, term) || (syntax === 'CII' ? /^\d{8}$/ : /^\d{4}-\d\d-\d\d$/).test(terms[term] ?? ''),
  ),
)
rule('no empty elements (PEPPOL-EN16931-R008)', ({ empty }) => empty.length === 0)
// The price times the quantity less the allowance is the line, to a hundredth either way.
eachLine('PEPPOL-EN16931-R120', (line) => {
  const exact = (number(line['BT-146']) * number(line['BT-129'])) / ONE - numberOr0(line['BT-136'])
  const unit = (line['BT-131'] ?? '').includes('.') ? ONE / 50n : ONE
  return abs(number(line['BT-131']) - exact) <= unit
})
eachLine('PEPPOL-EN16931-R040', (line) => {
  if (!has(line, 'BT-138')) return true
  const exact = (number(line['BT-137']) * number(line['BT-138'])) / (100n * ONE)
  const unit = (line['BT-136'] ?? '').includes('.') ? ONE / 50n : ONE
  return abs(number(line['BT-136']) - exact) <= unit
})

const general = [...rules]
rules.length = 0

// XRechnung 3.0.
const XRECHNUNG = 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'
rule('BR-DE-1', ({ terms }) => isThere(terms, 'BG-16'))
rule('BR-DE-2', ({ terms }) => isThere(terms, 'BG-6'))
needs('BR-DE-3', 'BT-37')
needs('BR-DE-4', 'BT-38')
needs('BR-DE-5', 'BT-41')
needs('BR-DE-6', 'BT-42')
needs('BR-DE-7', 'BT-43')
needs('BR-DE-8', 'BT-52')
needs('BR-DE-9', 'BT-53')
rule('BR-DE-10', ({ terms }) => !isThere(terms, 'BG-15') || has(terms, 'BT-77'))
rule('BR-DE-11', ({ terms }) => !isThere(terms, 'BG-15') || has(terms, 'BT-78'))
eachBreakdown('BR-DE-14', (one) => has(one, 'BT-119'))
needs('BR-DE-15', 'BT-10')
rule(
  'BR-DE-16',
  ({ terms, lines }) =>
    lines.every((line) => line['BT-151'] === 'O') || has(terms, 'BT-31') || has(terms, 'BT-32'),
)
rule('BR-DE-17', ({ terms }) => ['326', '380', '381', '384', '389'].includes(terms['BT-3'] ?? ''))
rule('BR-DE-18', ({ terms }) => !(terms['BT-20'] ?? '').split('\n').some((one) => one.trim().startsWith('#')))
rule('BR-DE-19', ({ terms }) => terms['BT-81'] !== '58' || ibanFault(terms['BT-84'] ?? '') === null)
rule('BR-DE-21', ({ terms }) => terms['BT-24'] === XRECHNUNG)
rule('BR-DE-23-a', ({ terms }) => !['30', '58'].includes(terms['BT-81'] ?? '') || isThere(terms, 'BG-17'))
rule('BR-DE-27', ({ terms }) => (terms['BT-42']?.match(/\d/g) ?? []).length >= 3)
rule('BR-DE-28', ({ terms }) => /^[^@\s]+@([^@.\s]+\.)+[^@.\s]+$/.test(terms['BT-43'] ?? ''))
needs('PEPPOL-EN16931-R001', 'BT-23')
needs('PEPPOL-EN16931-R010', 'BT-49')
needs('PEPPOL-EN16931-R020', 'BT-34')

/** The ids of all rules that are checked. */
export const RULES = { general: general.map(({ id }) => id), xRechnung: rules.map(({ id }) => id) }

/** The rules that an e-invoice breaks; for UBL those of XRechnung too. A number that cannot be read breaks its rules. */
export function brokenRules(xml: string): string[] {
  const invoice = readTerms(xml)
  const asked = invoice.syntax === 'UBL' ? [...general, ...rules] : general
  return asked.filter(({ holds }) => !isHeld(holds, invoice)).map(({ id }) => id)
}

function isHeld(holds: Rule['holds'], invoice: ReadInvoice): boolean {
  try {
    return holds(invoice)
  } catch {
    return false
  }
}
