/** How the words of a mailbox are distributed: as in a language, or few and evenly, which is hardest for an index. */
export type Spread = 'zipf' | 'uniform'

const WORDS_LEAST = 40
const WORDS_MOST = 400
const ZIPF_VOCABULARY = 50_000
const UNIFORM_VOCABULARY = 4000
const WORDS_A_LINE = 12
const START = Date.UTC(2016, 0, 1)
const HOUR_MS = 3_600_000

/** The n-th of many mails as long as those of people are; every third has an HTML part. */
export function longMail(spread: Spread, n: number): string {
  const lines = linesOf(spread, n)
  const headers = [
    `From: "Person ${n % 500}" <person${n % 500}@customer.example>`,
    'To: Ada Muster <ada@muster.example>',
    `Subject: ${longMailSubject(n)}`,
    `Message-ID: <long-${n}@customer.example>`,
    `Date: ${new Date(START + n * HOUR_MS).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
  ]
  const text = lines.join('\r\n')
  if (n % 3 !== 0) return [...headers, 'Content-Type: text/plain; charset=utf-8', '', text, ''].join('\r\n')
  return [
    ...headers,
    'Content-Type: multipart/alternative; boundary="part"',
    '',
    '--part\r\nContent-Type: text/plain; charset=utf-8\r\n',
    text,
    '--part\r\nContent-Type: text/html; charset=utf-8\r\n',
    `<html><body><p>${lines.join('<br>\r\n')}</p></body></html>`,
    '--part--',
    '',
  ].join('\r\n')
}

export const longMailSubject = (n: number) => `Order ${n}`

/** A word that occurs only in this mail, and that no other word begins with. */
export const ownWord = (n: number) => `own${n}q`

/** A word that about one in a thousand mails contains, in either distribution. */
export const rareWord = (spread: Spread) =>
  vocabularyWord(spread === 'zipf' ? 30_000 : UNIFORM_VOCABULARY - 1)

/** A word that more mails contain than most other words. */
export const frequentWord = () => vocabularyWord(0)

function linesOf(spread: Spread, n: number): string[] {
  const random = randomOf(n)
  const count = WORDS_LEAST + Math.floor(random() * (WORDS_MOST - WORDS_LEAST + 1))
  const words = Array.from({ length: count - 1 }, () => vocabularyWord(pick(spread, random())))
  words.push(ownWord(n))
  const lines: string[] = []
  for (let at = 0; at < words.length; at += WORDS_A_LINE)
    lines.push(words.slice(at, at + WORDS_A_LINE).join(' '))
  return lines
}

/** The number of a word of the vocabulary, by Zipf's law (the k-th is used 1/k times as often) or each as often. */
function pick(spread: Spread, random: number): number {
  if (spread === 'uniform') return Math.floor(random * UNIFORM_VOCABULARY)
  const sought = random * (SHARES.at(-1) ?? 0)
  let [low, high] = [0, SHARES.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((SHARES[middle] ?? 0) < sought) low = middle + 1
    else high = middle
  }
  return low
}

const SHARES = sharesOf(ZIPF_VOCABULARY)

function sharesOf(words: number): number[] {
  const shares: number[] = []
  for (let rank = 1; rank <= words; rank++) shares.push((shares.at(-1) ?? 0) + 1 / rank)
  return shares
}

const SYLLABLES = 'ba de fi go hu ka le mi no pu ra se ti vo zu lin mar ton ber sol'.split(' ')

function vocabularyWord(rank: number): string {
  let word = ''
  // From 20 on, so that each has two syllables or more.
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length] ?? ''
  return word
}

/** Numbers from 0 to 1, always the same ones for a mail (Mulberry32). */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e_37_79_b1)
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
