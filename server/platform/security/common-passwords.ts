import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** NIST SP 800-63B 3.1.1.2 asks for a list of what attackers try first; it need not be long where tries are limited. */
const LIST_LENGTH = 10_000
/**
 * The most frequent leaked passwords, most frequent first. Read as a file: a module would stay in memory completely.
 */
const LIST = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))
/** What people use for a place like this, and what the list has further down. */
const ALSO = ['p@ssword', 'abcdef', 'administrator', 'login', 'howl']
/** Digits and marks that are put before or behind a word to please a form: so many, or a plain row of them. */
const DECORATION_MAX = 5
/** With marks before it, a shorter word is no word. */
const DECORATED_MIN = 3
/** Signs that stand side by side: digits, letters, and the keys of English, German and French keyboards. */
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiopü',
  'asdfghjkl',
  'asdfghjklöä',
  'zxcvbnm',
  'yxcvbnm',
  'azertyuiop',
  'qsdfghjklm',
  'wxcvbn',
].flatMap((row) => [row, row.split('').toReversed().join('')])

let loading: Promise<ReadonlySet<string>> | undefined

/** The list in lower case, read on first use. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= readFile(LIST, 'utf8').then((text) => {
    const list = JSON.parse(text) as string[]
    return new Set([...list.slice(0, LIST_LENGTH), ...ALSO])
  })
  return loading
}

/**
 * True for a password that is on every attacker's list, as it is, twice, or with a few digits or marks around it, for one
 * sign repeated and for a plain row of digits, letters or keys. Neither letter case nor blanks count.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const common = await commonPasswords()
  const plain = password.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, '')
  const isKnown = (text: string) => common.has(text) || isRow(text)
  const isDecoration = (text: string) => text.length <= DECORATION_MAX || isRow(text)
  if (isKnown(plain) || isKnown(halfOf(plain))) return true
  const begun = plain.replace(/[^\p{L}]+$/u, '')
  if (!isDecoration(plain.slice(begun.length))) return false
  if (isKnown(begun) || isKnown(halfOf(begun))) return begun !== ''
  const stem = begun.replace(/^[^\p{L}]+/u, '')
  if (stem.length < DECORATED_MIN || !isDecoration(begun.slice(0, begun.length - stem.length))) return false
  return isKnown(stem) || isKnown(halfOf(stem))
}

/** What a text repeats, if it is something twice; else the text. */
function halfOf(text: string): string {
  const half = text.slice(0, text.length / 2)
  return half + half === text ? half : text
}

function isRow(text: string): boolean {
  return /^(.)\1*$/u.test(text) || ROWS.some((row) => row.includes(text))
}
