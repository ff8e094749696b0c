import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Intent } from '#contract/mail/email.ts'
import { classifyReply } from '#server/formats/mail-text/intents/intents.ts'
import { mailKind } from '#server/formats/mail-text/mail-kind.ts'
import { parseMail } from '#server/formats/mail-text/parse.ts'
import { newWords } from '#server/formats/mail-text/replies/replies.ts'

/** What a person who reads the mail would say of it. */
type Expected = {
  language: string
  class: string
  /** The sender's own words; null where there are none: then the whole text is shown. */
  text: string | null
  intent: Intent
  why?: string
}

const FOLDER = path.join(import.meta.dirname, 'replies')
const expected = JSON.parse(readFileSync(path.join(FOLDER, 'expected.json'), 'utf8')) as Record<
  string,
  Expected
>
const names = Object.keys(expected)

describe('replies as mail programs write them', () => {
  it.each(names)('%s', async (name) => {
    const mail = await parseMail(readFileSync(path.join(FOLDER, `${name}.eml`)))
    const { text, intent } = expected[name] as Expected
    expect(mail.faults).toEqual([])
    expect(mailKind(mail)).toBe('personal')
    expect(newWords(mail.text)).toBe(text ?? mail.text.trim())
    expect(classifyReply(mail.text)).toBe(intent)
  })

  it('are all judged, in many languages', () => {
    const mails = readdirSync(FOLDER).filter((file) => file.endsWith('.eml'))
    expect(mails.map((file) => file.slice(0, -4)).toSorted()).toEqual(names.toSorted())
    expect(mails.length).toBeGreaterThanOrEqual(75)
    expect(new Set(names.map((name) => expected[name]?.language)).size).toBeGreaterThanOrEqual(12)
  })
})
