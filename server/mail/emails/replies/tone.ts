import { createHash } from 'node:crypto'
import type { Context } from '../../../platform/context.ts'
import { parseAddressList } from '../../../formats/mail-text/addresses.ts'
import { newWords } from '../../../formats/mail-text/replies/replies.ts'
import { shownText } from '../../../formats/mail-text/shown-words.ts'
import { runMailTask } from '../../../formats/mail-tasks/run-mail-task.ts'
import { writingSettings } from '../messages/writing-settings-store.ts'
import { noteProposedText, type OwnSentMail, ownSentMails, proposedAmong } from './tone-store.ts'

/** Mails that a language model is shown as samples, characters of each, and how many are looked at for them. */
export const SAMPLES_MAX = 20
const SAMPLE_MAX = 400
const SAMPLE_MIN = 40
const CANDIDATES_MAX = 80
const TEXT_MAX = 6000
const MONTHS_MS = 180 * 86_400_000
/** Addresses, links and phone numbers: other people's, or of no use for a tone. */
const CONTACT_DATA = /\S+@\S+|https?:\S+|www\.\S+|\+?\d[\d ()/.-]{5,}\d/gi

/**
 * How the user writes: some of his own mails of the last half year, if he allows it. Texts that Howl proposed, that were
 * sent twice, and what others wrote are left out, and so are names and addresses of those he wrote to.
 */
export async function toneSamples(context: Context, userId: number): Promise<string[]> {
  const { db } = context
  if (!(await writingSettings(db, userId)).learns_tone) return []
  const since = new Date(context.clock.now().getTime() - MONTHS_MS)
  const mails = await ownSentMails(db, userId, { since, limit: CANDIDATES_MAX, characters: TEXT_MAX })
  const written: { mail: OwnSentMail; words: string; hash: string; withoutGreeting: string }[] = []
  for (const mail of mails) {
    const words = await runMailTask({ userId }, 'newWords', mail.text).catch(() => '')
    if (words.length >= SAMPLE_MIN)
      written.push({ mail, words, hash: hashOf(words), withoutGreeting: hashOf(bodyOf(words)) })
  }
  const proposed = await proposedAmong(
    db,
    userId,
    written.map(({ hash }) => hash),
  )
  const times = Map.groupBy(written, ({ withoutGreeting }) => withoutGreeting)
  return written
    .filter(({ hash, withoutGreeting }) => !proposed.has(hash) && times.get(withoutGreeting)?.length === 1)
    .slice(0, SAMPLES_MAX)
    .map(({ mail, words }) => shownText(withoutOthers(words, mail), SAMPLE_MAX))
}

/** Remembers a proposed text, so that it is not taken for the user's own once it is sent as it is. */
export async function noteProposed(context: Context, userId: number, text: string): Promise<void> {
  const now = context.clock.now()
  await noteProposedText(context.db, userId, hashOf(newWords(text)), now, new Date(now.getTime() - MONTHS_MS))
}

const hashOf = (words: string) =>
  createHash('sha256').update(words.toLowerCase().replaceAll(/\s+/g, ' ').trim()).digest('base64url')

/** Without the line of the greeting: mails to many differ in it alone. */
const bodyOf = (words: string) => words.slice(words.indexOf('\n') + 1)

function withoutOthers(words: string, { toLine, contactName }: OwnSentMail): string {
  const names = [contactName, ...parseAddressList(toLine).map(({ name }) => name)]
    .flatMap((name) => name.split(/[^\p{L}]+/u))
    .filter((name) => name.length >= 3)
  const [first = '', ...rest] = words.split('\n')
  const isGreeting = first.length <= 60 && /[,!]\s*$/.test(first)
  const greeting = isGreeting ? first.replaceAll(/(?<=\s)\p{Lu}[\p{L}'’-]*/gu, '…') : first
  const all = [greeting, ...rest].join('\n').replaceAll(CONTACT_DATA, '…')
  return names.reduce(
    (text, name) => text.replaceAll(new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'giu'), '…'),
    all,
  )
}
