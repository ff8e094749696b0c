import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** NIST SP 800-63B 3.1.1.2 asks for a list of what attackers try first; it need not be long where tries are limited. */
const LIST_LENGTH = 10_000
/**
 * The most frequent leaked passwords, most frequent first. Read as a file: a module would stay in memory completely.
 */
const LIST = fileURLToPath(import.meta.resolve('@zxcvbn-ts/language-common/src/passwords.json'))
/** Words that people use for a service like this one, but that stand further down in the list. */
const ALSO = ['p@ssword', 'abcdef', 'administrator', 'login']
/** Digits and marks added to a word to satisfy a form: up to this many, or a plain row of them. */
const DECORATION_MAX = 4

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
 * True for a password on every attacker's list, as it is or followed by a few digits or marks, and for one repeated
 * character or a plain row of digits. Case does not count.
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
