import type { CsvRow } from './csv-rows.ts'
import { linesWithNumbers, type Property, readProperty } from './vcard-property.ts'

/** What is read of a card, in the order of a row's fields. */
export const VCARD_COLUMNS = [
  'Full name',
  'First name',
  'Middle name',
  'Last name',
  'Email',
  'Company',
  'Position',
  'Phone',
  'Notes',
  'Categories',
] as const

type Card = { line: number; properties: Property[]; chars: number }

/** This much of one card is kept: photos are not, and no notes are longer. */
const CARD_MAX_CHARS = 200_000
/** Properties that are read; all others, including photos and keys, are skipped. */
const READ = new Set(['FN', 'N', 'EMAIL', 'ORG', 'TITLE', 'ROLE', 'TEL', 'NOTE', 'CATEGORIES'])

/** True for a text that begins like a vCard file. */
export function isCard(text: string): boolean {
  return /^\s*BEGIN:VCARD\s*$/im.test(text.slice(0, 2000)) && /^\s*BEGIN:/i.test(text)
}

/**
 * The cards of a vCard file (2.1, 3.0 or 4.0) as rows of `VCARD_COLUMNS`, batch by batch; `line` is where a card
 * begins. A card without an end, or with nothing readable, is a broken row; reading continues with the next one.
 */
export async function* vcardRows(blocks: AsyncIterable<string>): AsyncGenerator<CsvRow[]> {
  let card: Card | null = null
  let inner = 0
  let wasAgent = false
  for await (const lines of linesWithNumbers(blocks)) {
    const rows: CsvRow[] = []
    for (const { text, line } of lines) {
      const word = text.trim().toUpperCase()
      if (word === 'BEGIN:VCARD') {
        // A card within a card follows AGENT; anywhere else the previous one has lost its end.
        if (card !== null && wasAgent) inner += 1
        else {
          if (card !== null) rows.push(broken(card))
          card = { line, properties: [], chars: 0 }
          inner = 0
        }
      } else if (word === 'END:VCARD') {
        if (inner > 0) inner -= 1
        else if (card !== null) {
          rows.push(rowOf(card))
          card = null
        }
      } else if (card !== null && inner === 0) take(card, text)
      wasAgent = inner === 0 && /^(?:[\w-]+\.)?AGENT[;:]/i.test(text)
    }
    yield rows
  }
  if (card !== null) yield [broken(card)]
}

function take(card: Card, text: string): void {
  const name = /^(?:[\w-]+\.)?([\w-]+)[;:]/.exec(text)?.[1]?.toUpperCase()
  if (name === undefined || !READ.has(name) || card.chars + text.length > CARD_MAX_CHARS) return
  card.chars += text.length
  const property = readProperty(text)
  if (property !== null) card.properties.push(property)
}

function broken({ line, properties }: Card): CsvRow {
  const name = properties.find((property) => property.name === 'FN')?.value ?? ''
  return { line, fields: [name], broken: true }
}

function rowOf(card: Card): CsvRow {
  const of = (name: string) =>
    card.properties.filter((property) => property.name === name && property.value !== '')
  const first = (name: string) => best(of(name))?.value ?? ''
  const [last = '', given = '', middle = ''] = best(of('N'))?.parts ?? []
  const fields: Record<(typeof VCARD_COLUMNS)[number], string> = {
    'Full name': first('FN'),
    'First name': given,
    'Middle name': middle,
    'Last name': last,
    Email: first('EMAIL'),
    Company: (best(of('ORG'))?.parts ?? []).find((part) => part !== '') ?? '',
    Position: first('TITLE') || first('ROLE'),
    Phone: first('TEL').replace(/^tel:/i, ''),
    Notes: of('NOTE')
      .map(({ value }) => value)
      .join('\n'),
    Categories: of('CATEGORIES')
      .flatMap(({ list }) => list)
      .join(', '),
  }
  return { line: card.line, fields: VCARD_COLUMNS.map((column) => fields[column]), broken: false }
}

/** The preferred one of several; among phones a mobile comes first and a fax last. */
function best(properties: readonly Property[]): Property | undefined {
  const worth = ({ types, preference }: Property) =>
    preference +
    (types.includes('CELL') ? 1 : 0) +
    (types.includes('FAX') || types.includes('PAGER') ? -200 : 0)
  return properties.reduce<Property | undefined>(
    (found, next) => (found === undefined || worth(next) > worth(found) ? next : found),
    undefined,
  )
}
