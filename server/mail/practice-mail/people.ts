import { createHash } from 'node:crypto'
import { addressKey } from '../../formats/mail-text/addresses.ts'

/** What an invented person does with a mail. */
export type Manner =
  | 'interested'
  | 'question'
  | 'meeting'
  | 'not_interested'
  | 'out_of_office'
  | 'bounce'
  | 'unsubscribe'
  | 'silent'

/** The first recipients of a practice mailbox: a handful of contacts already shows every manner. */
export const FIRST_MANNERS: readonly Manner[] = [
  'interested',
  'question',
  'meeting',
  'not_interested',
  'out_of_office',
  'bounce',
  'interested',
  'unsubscribe',
]

/** How many of a hundred people do what; the rest never answer. */
const SHARES: readonly (readonly [Manner, number])[] = [
  ['interested', 30],
  ['question', 15],
  ['meeting', 10],
  ['not_interested', 10],
  ['out_of_office', 10],
  ['bounce', 5],
  ['unsubscribe', 3],
]

/** "anna+question@example.com" always asks a question. */
const NAMED: Record<string, Manner> = {
  interested: 'interested',
  question: 'question',
  meeting: 'meeting',
  no: 'not_interested',
  'not-interested': 'not_interested',
  away: 'out_of_office',
  'out-of-office': 'out_of_office',
  bounce: 'bounce',
  unsubscribe: 'unsubscribe',
  silent: 'silent',
}

/** A hash from 0 to 2^32 - 1, always the same for the same text. */
export function hashOf(...words: string[]): number {
  return createHash('sha256').update(words.join('\n')).digest().readUInt32BE(0)
}

/** The manner that an address requests by its name, if any. */
export function namedManner(address: string): Manner | undefined {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase()
  const word = local.slice(local.indexOf('+') + 1)
  return local.includes('+') && Object.hasOwn(NAMED, word) ? NAMED[word] : undefined
}

/** The manner of anyone who is not among the first. */
export function usualManner(address: string): Manner {
  let place = hashOf('manner', addressKey(address)) % 100
  for (const [manner, share] of SHARES) {
    if (place < share) return manner
    place -= share
  }
  return 'silent'
}

/** The name of a person known only by address: "anna.smith+x@…" is Anna Smith. */
export function nameFrom(address: string): string {
  const local = address.slice(0, address.lastIndexOf('@')).split('+')[0] ?? ''
  const words = local
    .replace(/\d+/g, ' ')
    .split(/[._\s-]+/)
    .filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

/** Seconds until the person answers: long enough to see the mail leave, short enough to wait for. */
export function secondsUntilAnswer(messageId: string, address: string): number {
  return 3 + (hashOf('delay', messageId, addressKey(address)) % 38)
}
