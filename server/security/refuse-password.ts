import { isCommonPassword } from './common-passwords.ts'

/** What is known about the person who sets the password. */
export type PasswordOwner = { name: string; username: string; email: string; companies: readonly string[] }

/** Shorter words occur in any text by chance. */
const WORD_MIN = 3
/** With fewer letters than these besides the owner's words, nothing was added that has to be guessed. */
const REST_MIN = 4

/**
 * Why this password may not be set, in a sentence for its owner; null where it may. Every way to set a password calls
 * this. The contract checks the length.
 */
export async function refusePassword(password: string, owner: PasswordOwner): Promise<string | null> {
  if (await isCommonPassword(password)) {
    return 'This password is one of the most common ones. Please choose another.'
  }
  const source = await madeOf(password, owner)
  return source === null ? null : `This password is made of your ${source}. Please choose another.`
}

/** Where the password's words come from, if nothing but digits, marks or a common word is left without them. */
async function madeOf(password: string, owner: PasswordOwner): Promise<string | null> {
  const bare = lettersOf(password)
  const found = ownWords(owner).filter(({ word }) => bare.includes(word))
  const [first] = found
  if (first === undefined) return null
  let rest = bare
  for (const { word } of found) rest = rest.replaceAll(word, '')
  rest = rest.replaceAll(/\p{N}/gu, '')
  return rest.length < REST_MIN || (await isCommonPassword(rest)) ? first.source : null
}

/** Letters and digits only, in lower case. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** Longest first, so that no part of a word is mistaken for another. */
function ownWords({ name, username, email, companies }: PasswordOwner): { word: string; source: string }[] {
  const [local = '', domain = ''] = email.split('@')
  // The last part (".com") says nothing about the owner.
  const hosts = domain.split('.').slice(0, -1).join(' ')
  const sources: [source: string, text: string][] = [
    ['user name', username],
    ['name', name],
    ...companies.map((company): [string, string] => ['company', company]),
    ['email address', email],
    ['email address', `${local} ${hosts}`],
    ['email address', local],
    ['email address', hosts],
  ]
  return sources
    .flatMap(([source, text]) =>
      [text, ...text.split(/[^\p{L}\p{N}]+/u)].map((part) => ({ word: lettersOf(part), source })),
    )
    .filter(({ word }) => word.length >= WORD_MIN && /\p{L}/u.test(word))
    .toSorted((a, b) => b.word.length - a.word.length)
}
