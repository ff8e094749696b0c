import { expect, test } from 'vitest'
import { functionsIn } from '../../../tests/support/exported-functions.ts'
import { HOSTILE_HTML, HOSTILE_MAILS, type TextMaker } from '../../../tests/support/hostile-texts.ts'
import { type Reader, slowReaders } from '../../../tests/support/linear.ts'
import { cutHtml } from './cut-html.ts'
import { htmlToWords } from './html-to-words.ts'
import { MimeReader } from './mime-reader.ts'
import * as parse from './parse.ts'
import * as rough from './rough.ts'
import { sanitizeMailHtml, withoutBlanks } from './sanitize.ts'
import { sanitizeOutgoingHtml } from './sanitize-outgoing.ts'
import { seenWords } from './seen-words.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

/** Each public function of these files, under its own name. */
const HTML_READERS: Record<string, Reader> = {
  cutHtml: (text) => cutHtml(text, { chars: Infinity, tags: 40_000 }),
  htmlToWords,
  seenWords,
  sanitizeMailHtml: (text) => sanitizeMailHtml(text, { allowRemote: true }),
  sanitizeOutgoingHtml,
  withoutBlanks,
}

const RAW_READERS: Record<string, Reader> = {
  parseMail: (text) => parse.parseMail(bytes(text)).catch(() => null),
  MimeReader: (text) => new MimeReader({}).parse(bytes(text)).catch(() => null),
  countLines: (text) => rough.countLines(bytes(text)),
  headToUtf8: (text) => rough.headToUtf8(bytes(text)),
  repairBytes: (text) => rough.repairBytes(bytes(text), []),
  withGuessedBoundary: (text) => rough.withGuessedBoundary(bytes(text)),
  withFoldedParameters: (text) => rough.withFoldedParameters(bytes(text)),
  readRoughly: (text) => rough.readRoughly(bytes(text)),
  roughTextOf: (text) => rough.roughTextOf(bytes(text)),
  isReadToTheEnd: (text) => rough.isReadToTheEnd(bytes(text)),
}

const HEADERS: ReadonlyMap<string, TextMaker> = new Map(
  ['Cc: ', 'To: b: ', 'From: "'].map((field) => [
    field,
    (chars) => `${field}${'a:'.repeat(chars / 2)}\r\n\r\na`,
  ]),
)

const TABLES: readonly [string, Record<string, Reader>, ReadonlyMap<string, TextMaker>][] = [
  ['HTML', HTML_READERS, HOSTILE_HTML],
  ['raw mails', RAW_READERS, HOSTILE_MAILS],
  ['groups in groups', { parseMail: RAW_READERS['parseMail']! }, HEADERS],
]

for (const [what, readers, texts] of TABLES)
  for (const [name, run] of Object.entries(readers))
    test(`${name} takes no more than its share of time for long ${what}`, async () => {
      expect(await slowReaders({ [name]: run }, texts)).toEqual([])
    })

test('every public function that reads HTML and raw mails is timed', async () => {
  const files = [
    'cut-html',
    'html-to-words',
    'mime-reader',
    'rough',
    'sanitize',
    'sanitize-outgoing',
    'seen-words',
  ]
  const urls = files.map((file) => new URL(`${file}.ts`, import.meta.url))
  expect(await functionsIn(urls, [...Object.keys(HTML_READERS), ...Object.keys(RAW_READERS)])).toEqual([])
})
