import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as addressLine from '#contract/formats/address-line.ts'
import * as hidden from '#contract/formats/hidden-characters.ts'
import * as meetingLinks from '#contract/crm/meeting-links.ts'
import { deceptiveDomain } from '#contract/formats/mixed-domain.ts'
import * as shown from '#contract/formats/shown-sender.ts'
import { advise } from '#contract/outreach/template-text/advise.ts'
import * as templateFields from '#contract/outreach/template-text/fields.ts'
import * as fill from '#contract/outreach/template-text/fill-template.ts'
import { likest } from '#contract/outreach/template-text/likest.ts'
import { parseTemplate } from '#contract/outreach/template-text/parse-template.ts'
import { placesToFill } from '#contract/outreach/template-text/places-to-fill.ts'
import * as csvColumns from '#server/formats/contact-files/csv-columns.ts'
import { withoutBlanksBeforeQuotes } from '#server/formats/contact-files/csv-quotes.ts'
import * as csvRows from '#server/formats/contact-files/csv-rows.ts'
import * as csvText from '#server/formats/contact-files/csv-text.ts'
import * as fileLayout from '#server/formats/contact-files/file-layout.ts'
import * as formulaEscape from '#contract/formats/formula-escape.ts'
import * as phoneNumber from '#server/formats/contact-files/phone-number.ts'
import * as tagCell from '#server/formats/contact-files/tag-cell.ts'
import * as timeZone from '#server/formats/contact-files/time-zone.ts'
import * as vcardProperty from '#server/formats/contact-files/vcard-property.ts'
import * as vcardRows from '#server/formats/contact-files/vcard-rows.ts'
import * as parseSearch from '#server/mail/emails/list/parse-search.ts'
import { functionsIn } from './support/exported-functions.ts'
import { HOSTILE_TEXTS } from './support/hostile-texts.ts'
import { type Reader, slowReaders } from './support/linear.ts'

const CHUNK = 64 * 1024

/** A file as it is read: in chunks of bytes. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

/** A block of whole lines. */
async function* blockOf(text: string): AsyncGenerator<string> {
  yield `${text}\n`
}

async function through(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

const readPhone = await phoneNumber.phoneReader('DE')
const readZone = await timeZone.zoneReader()
const search = (text: string) => parseSearch.parseSearch(text, 'Europe/Berlin')

/** Without the limits of templates, below which nothing would grow. */
const NO_LIMITS = { chars: Infinity, tags: Infinity, depth: 500 }
const named = (text: string) =>
  Object.fromEntries(templateFields.FIELDS.map(({ name }) => [name, text])) as templateFields.FieldValues
const GREETING = parseTemplate('Hello {{ name }} {{ company }}, {% if position %}x{% endif %}').nodes

const READERS: Record<string, Reader> = {
  parseTemplate: (text) => parseTemplate(text, NO_LIMITS),
  'parseTemplate of fields': (text) =>
    parseTemplate(`${'{{ name }} {% if name %} {% endif %}\n'.repeat(text.length / 40)}${text}`, NO_LIMITS),
  fillTemplate: (text) => fill.fillTemplate(GREETING, named(text)),
  'fillTemplate with a long text': (text) =>
    fill.fillTemplate(parseTemplate(`${text}{{ name }} ${text}`, NO_LIMITS).nodes, named('')),
  cleanValue: fill.cleanValue,
  fieldOf: templateFields.fieldOf,
  likest: (text) => likest(text, ['company']),
  advise: (text) => advise(text, text),
  placesToFill,
  headOf: csvColumns.headOf,
  meaningsOf: (text) => csvColumns.meaningsOf([text]),
  columnsFor: (text) => csvColumns.columnsFor([text], ['name']),
  columnsOf: (text) => csvColumns.columnsOf([text]),
  withoutBlanksBeforeQuotes: (text) => withoutBlanksBeforeQuotes(text, ','),
  csvRows: (text) => through(csvRows.csvRows(blockOf(text), ',')),
  csvText: (text) => through(csvText.csvText(piecesOf(text))).catch(() => null),
  layoutOf: (text) => fileLayout.layoutOf(piecesOf(text)).catch(() => null),
  escapeFormula: formulaEscape.escapeFormula,
  unescapeFormula: formulaEscape.unescapeFormula,
  needsQuotes: formulaEscape.needsQuotes,
  phoneCountry: (text) => phoneNumber.phoneCountry({ country: text, time_zone: text }),
  phoneReader: readPhone,
  zoneReader: (text) => readZone({ phone: text, email: text }),
  'zoneReader of a number': (text) => readZone({ phone: `+${text}`, email: `a@b.${text}` }),
  tagCell: (text) => tagCell.tagCell(text.split(' ')),
  readTags: tagCell.readTags,
  linesWithNumbers: (text) => through(vcardProperty.linesWithNumbers(blockOf(text))),
  readProperty: vcardProperty.readProperty,
  'readProperty with parameters': (text) => vcardProperty.readProperty(`TEL${text}:1`),
  'readProperty with a value': (text) => vcardProperty.readProperty(`N;ENCODING=QUOTED-PRINTABLE:${text}`),
  isCard: vcardRows.isCard,
  vcardRows: (text) => through(vcardRows.vcardRows(blockOf(text))),
  'vcardRows of a card': (text) =>
    through(vcardRows.vcardRows(blockOf(`BEGIN:VCARD\nNOTE:${text}\nEND:VCARD`))),
  isWebLink: (text) => meetingLinks.isWebLink(`https://a.b/${text}`),
  shortenLink: (text) => meetingLinks.shortenLink(`https://www.google.com/maps/${text}`),
  'shortenLink of a meeting': (text) => meetingLinks.shortenLink(`https://us02web.zoom.us/j/1?pwd=${text}`),
  'shortenLink of a wrapper': (text) => meetingLinks.shortenLink(`https://www.google.com/url?q=${text}`),
  recipientsOf: addressLine.recipientsOf,
  mailboxOf: (text) => addressLine.mailboxOf(`a <${text}>`),
  replaceHidden: (text) => hidden.replaceHidden(text, hidden.markOf),
  withoutHidden: hidden.withoutHidden,
  markHidden: hidden.markHidden,
  markOf: hidden.markOf,
  joinedMarks: hidden.joinedMarks,
  'joinedMarks of marks': (text) => hidden.joinedMarks('[U+200B][U+202E]'.repeat(text.length / 16)),
  deceptiveDomain: (text) => deceptiveDomain(`ä${text}`),
  shownName: (text) => shown.shownName(`ä${text}`),
  shownAddress: (text) => shown.shownAddress(`ä${text}@ä${text}`),
  namesOtherAddress: (text) => shown.namesOtherAddress(`@${text}`, 'a@b.test'),
  'namesOtherAddress of many': (text) => shown.namesOtherAddress('a@b '.repeat(text.length / 4), 'a@b'),
  isOwnName: (text) => shown.isOwnName({ name: text, address: text }),
  shownMailbox: (text) => shown.shownMailbox({ name: text, address: text }),
  sendersOf: (text) => shown.sendersOf({ from: '', from_name: '', from_line: text }),
  shownSender: (text) => shown.shownSender({ from: text, from_name: text, from_line: '' }),
  shownRecipients: (text) => shown.shownRecipients(`ä${text}`),
  parseSearch: search,
  searchQuery: (text) => parseSearch.searchQuery(1, search(text)),
}
/** These receive what the others have parsed. */
const GIVEN_NO_TEXT = ['noEmailColumn', 'columnsOfLayout', 'fieldTag']

for (const [name, run] of Object.entries(READERS))
  test(`${name} takes no more than its share of time for a long text`, async () => {
    expect(await slowReaders({ [name]: run }, HOSTILE_TEXTS)).toEqual([])
  })

test('200,000 cards that begin and never end are each read in a moment', async () => {
  const cards = (chars: number) => 'BEGIN:VCARD\n'.repeat(chars / 12)
  const read = (text: string) => fileLayout.layoutOf(piecesOf(text))
  expect(
    await slowReaders({ layoutOf: read, vcardRows: READERS['vcardRows']! }, new Map([['cards', cards]])),
  ).toEqual([])
  let rows = 0
  for await (const batch of vcardRows.vcardRows(blockOf(cards(200_000 * 12)))) rows += batch.length
  expect(rows).toBe(200_000)
})

test('every public function that reads contact files, templates, links, senders and searches is timed', async () => {
  const folder = new URL('../server/formats/contact-files/', import.meta.url)
  const texts = new URL('../contract/outreach/template-text/', import.meta.url)
  const filesIn = async (url: URL) =>
    (await readdir(url))
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .map((file) => new URL(file, url))
  const modules = [
    ...(await filesIn(folder)),
    ...(await filesIn(texts)),
    new URL('../contract/formats/address-line.ts', import.meta.url),
    new URL('../contract/formats/hidden-characters.ts', import.meta.url),
    new URL('../contract/crm/meeting-links.ts', import.meta.url),
    new URL('../contract/formats/mixed-domain.ts', import.meta.url),
    new URL('../contract/formats/shown-sender.ts', import.meta.url),
    new URL('../server/mail/emails/list/parse-search.ts', import.meta.url),
  ]
  expect(await functionsIn(modules, [...Object.keys(READERS), ...GIVEN_NO_TEXT])).toEqual([])
})
