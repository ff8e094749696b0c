import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** NIST SP 800-63B 3.1.1.2 asks for a list of what attackers try first; it need not be long where tries are limited. */
const LIST_LENGTH = 10_000
/** The most frequent of leaked passwords, the most frequent first. Read as a file: its module would stay in memory whole. */
const LIST = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))
/** What people use for a place like this, and what the list has further down. */
const ALSO = ['p@ssword', 'abcdef', 'administrator', 'login']
/** Digits and marks that are put behind a word to please a form: so many, or a plain row of them. */
const DECORATION_MAX = 4

let loading: Promise<ReadonlySet<string>> | undefined

/** The list in lower case, read when it is first asked for. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= readFile(LIST, 'utf8').then((text) => {
    const list = JSON.parse(text) as string[]
    return new Set([...list.slice(0, LIST_LENGTH), ...ALSO])
  })
  return loading
}

/**
 * True for a password that is on every attacker's list, as it is or with a few digits or marks behind it, for one sign
 * repeated and for a plain row of digits. Letter case does not count.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const common = await commonPasswords()
  const plain = password.normalize('NFKC').toLowerCase()
  if (common.has(plain) || isRow(plain)) return true
  const stem = plain.replace(/[^\p{L}]+$/u, '')
  const decoration = plain.slice(stem.length)
  return common.has(stem) && (decoration.length <= DECORATION_MAX || isRow(decoration))
}

function isRow(text: string): boolean {
  return (
    /^(.)\1*$/u.test(text) || '01234567890123456789'.includes(text) || '98765432109876543210'.includes(text)
  )
}
