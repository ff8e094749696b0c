import { isCommonPassword } from './common-passwords.ts'

/** What is known of the person whose password it will be. */
export type PasswordOwner = {
  name: string
  username: string
  email: string
  companies: readonly string[]
  phone?: string | null | undefined
}

type OwnWord = { word: string; source: string }

/** So many digits at the end of a number are the same with and without the country before it. */
const PHONE_DIGITS = 7
/** Shorter words are in every text by chance. */
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
  if (hasPhone(password, owner.phone ?? '')) return 'phone number'
  const words = ownWords(owner)
  for (const typed of [password, withoutSigns(password)]) {
    const source = await madeOfWords(lettersOf(typed), words)
    if (source !== null) return source
  }
  return null
}

async function madeOfWords(bare: string, words: readonly OwnWord[]): Promise<string | null> {
  const found = words.filter(({ word }) => bare.includes(word))
  const [first] = found
  if (first === undefined) return null
  let rest = bare
  for (const { word } of found) rest = rest.replaceAll(word, '')
  rest = rest.replaceAll(/\p{N}/gu, '')
  return rest.length < REST_MIN || (await isCommonPassword(rest)) ? first.source : null
}

/** The end of the owner's number, and nothing that one would have to guess beside it. */
function hasPhone(password: string, phone: string): boolean {
  const number = phone.replaceAll(/\D/g, '').slice(-PHONE_DIGITS)
  const letters = password.replaceAll(/\P{L}/gu, '')
  return (
    number.length === PHONE_DIGITS &&
    letters.length < REST_MIN &&
    password.replaceAll(/\D/g, '').includes(number)
  )
}

/** Digits and marks that stand for letters, as those letters. */
const SIGNS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

function withoutSigns(text: string): string {
  return text.normalize('NFKC').replaceAll(/[@431!0$57]/g, (sign) => SIGNS[sign] ?? sign)
}

const SPELLED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' }

/** A word as it is, with its umlauts spelled out, without its marks, and without digits that are glued to it. */
function spellings(word: string): string[] {
  const spelled = word.replaceAll(/[äöüßæøå]/g, (letter) => SPELLED[letter] ?? letter)
  const plain = word.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return [
    ...new Set([word, spelled, plain].flatMap((form) => [form, form.replaceAll(/^\p{N}+|\p{N}+$/gu, '')])),
  ]
}

/** Letters and digits alone, in lower case. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The longest first, so that no part of a word is taken for another. */
function ownWords({ name, username, email, companies }: PasswordOwner): OwnWord[] {
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
      [text, ...text.split(/[^\p{L}\p{N}]+/u)]
        .flatMap((part) => spellings(lettersOf(part)))
        .map((word) => ({ word, source })),
    )
    .filter(({ word }) => word.length >= WORD_MIN && /\p{L}/u.test(word))
    .toSorted((a, b) => b.word.length - a.word.length)
}
