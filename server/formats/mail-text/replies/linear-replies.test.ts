import { expect, test } from 'vitest'
import { functionsIn } from '../../../../tests/support/exported-functions.ts'
import { HOSTILE_TEXTS } from '../../../../tests/support/hostile-texts.ts'
import { type Reader, slowReaders } from '../../../../tests/support/linear.ts'
import { classifyReply } from '../intents/intents.ts'
import * as quote from './quote.ts'
import * as replies from './replies.ts'

const ORIGINAL = { author: 'A', from: 'a@b.c', to: 'a@b.c', subject: 'a', at: new Date(0), html: null }

/** Each public function of these files, under its own name. */
const READERS: Record<string, Reader> = {
  newWords: replies.newWords,
  ownWords: replies.ownWords,
  withoutQuoted: replies.withoutQuoted,
  classifyReply,
  paragraphs: quote.paragraphs,
  withQuote: (text) => quote.withQuote({ text, html: text }, { ...ORIGINAL, text, html: text }, 'UTC'),
  withForwarded: (text) => quote.withForwarded({ text, html: null }, { ...ORIGINAL, text }, 'UTC'),
}

for (const [name, run] of Object.entries(READERS))
  test(`${name} takes no more than its share of time for long texts`, async () => {
    expect(await slowReaders({ [name]: run }, HOSTILE_TEXTS)).toEqual([])
  })

test('every public function that reads replies is timed', async () => {
  const files = ['replies.ts', 'quote.ts', '../intents/intents.ts'].map(
    (file) => new URL(file, import.meta.url),
  )
  expect(await functionsIn(files, Object.keys(READERS))).toEqual([])
})
