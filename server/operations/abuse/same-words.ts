import type { SingleMail } from './mail-facts-store.ts'

/** Two texts are the same if they share so many of their words: a name and a number differ. */
const SHARED = 0.8
/** A text that begins so many others is compared with each; there are never many. */
const TEXTS_MAX = 50
/** Shorter texts say nothing. */
const WORDS_AT_LEAST = 6

/** Of mails, those with the words that most of them have. */
export function withSameWords(mails: readonly SingleMail[]): SingleMail[] {
  const texts: { words: Set<string>; mails: SingleMail[] }[] = []
  for (const mail of mails) {
    const words = wordsOf(mail)
    if (words.size < WORDS_AT_LEAST) continue
    const same = texts.find((text) => isSame(text.words, words))
    if (same !== undefined) same.mails.push(mail)
    else if (texts.length < TEXTS_MAX) texts.push({ words, mails: [mail] })
  }
  return texts.reduce<SingleMail[]>((most, each) => (each.mails.length > most.length ? each.mails : most), [])
}

/** The words of a mail, without those that name its recipient. */
function wordsOf({ subject, snippet, toLine }: SingleMail): Set<string> {
  const named = new Set(toLine.toLowerCase().match(/\p{L}+/gu) ?? [])
  const words = `${subject} ${snippet}`.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  return new Set(words.filter((word) => !named.has(word)))
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  let shared = 0
  for (const word of one) if (other.has(word)) shared += 1
  return shared >= SHARED * Math.max(one.size, other.size)
}
