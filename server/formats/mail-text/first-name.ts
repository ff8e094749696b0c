import {
  ANDS,
  BUSINESSES,
  COMPANY_FORMS,
  DEGREES,
  EARLY_HOUSEHOLDS,
  HOUSEHOLDS,
  LATE_FORMS,
  PARTICLES,
  ROLES,
  TITLES,
} from './name-words.ts'
import { oneLine } from '../../platform/text.ts'

/** A longer name is a sentence, or an attack. */
const MAX_NAME_CHARS = 120
const MAX_NAME_WORDS = 6
/** In these scripts the family name comes first, often without a blank. */
const FAMILY_FIRST = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** "Anna Schmidt (Werk)", "Anna Schmidt | Werk", "Anna Schmidt - Werk", "Anna from Werk". */
const ADDITION = /\s*[([|·•/].*$|\s+[-–—]\s.*$|\s+(?:via|at|from|von|bei|de chez|@)\s.*$/iu
/** "Anna/Peter Weber", "Anna u. Peter Weber"; but "Anna U. Weber" has an initial. */
const TWO_PEOPLE = /^\p{L}[^\s/]*\/\p{L}|\su\.?\s/u
const WORD = /^\p{L}(?:[\p{L}\p{M}'’.-]*[\p{L}\p{M}.])?$/u

/**
 * The name to greet somebody by; empty where none is certain: companies, roles, families, two people, initials, titles
 * with a family name only, addresses. Then the greeting has no name, which is better than a wrong one.
 */
export function firstName(to: { name: string; email: string }): string {
  const given = oneLine(to.name)
    .replace(/["“”„«»*]/g, ' ')
    .trim()
  if (given === '' || given.length > MAX_NAME_CHARS || /[@\p{N}&+:\\<>_]|:\/\//u.test(given)) return ''
  if (FAMILY_FIRST.test(given)) return ''
  const whole = words(given)
  if (isBusiness(whole) || isHousehold(whole) || TWO_PEOPLE.test(given)) return ''
  const name = inOrder(given.replace(ADDITION, ''))
  const people = withoutTitles(name)
  if (people === null || people.length > MAX_NAME_WORDS) return ''
  const first = chosen(people, to.email)
  return first === '' ? '' : capital(first)
}

const words = (name: string): string[] => name.split(/[\s,;()[\]|/·•]+/u).filter((word) => word !== '')
const plain = (word: string): string => word.replaceAll('.', '').toLowerCase()

function isBusiness(given: readonly string[]): boolean {
  return given.some((word, at) => {
    const bare = word.replaceAll('.', '')
    const isForm = COMPANY_FORMS.has(word) || COMPANY_FORMS.has(bare)
    const isLast = at > 0 && at === given.length - 1
    const counts = isForm && (isLast || !LATE_FORMS.has(bare))
    return (
      counts ||
      ROLES.has(plain(word)) ||
      BUSINESSES.has(plain(word)) ||
      /\p{L}['’]s$/u.test(word) ||
      (/\p{L}\.\p{L}{2,}/u.test(word) && !TITLES.has(plain(word))) ||
      /\p{L}(?:bäckerei|metzgerei|kanzlei|werkstatt|gesellschaft|service|agentur|verlag|apotheke|verwaltung|abteilung|technik|handel)$/iu.test(
        word,
      )
    )
  })
}

function isHousehold(given: readonly string[]): boolean {
  return given.some((word) => HOUSEHOLDS.has(plain(word))) || EARLY_HOUSEHOLDS.has(plain(given[0] ?? ''))
}

/** "Schmidt, Anna" in spoken order; degrees after a comma are not part of the name. */
function inOrder(name: string): string {
  const [family = '', ...behind] = name.split(',').map((part) => part.trim())
  const given = behind.filter(
    (part) => part !== '' && !part.split(/\s+/).every((word) => DEGREES.has(word.toLowerCase())),
  )
  return given.length === 0 ? family : `${given[0]} ${family}`
}

/** The words of a name without titles; null where a title precedes a family name only. */
function withoutTitles(name: string): string[] | null {
  const all = name.split(/\s+/).filter((word) => word !== '')
  let at = 0
  while (at < all.length - 1 && (TITLES.has(plain(all[at] ?? '')) || /^dipl\.?-/iu.test(all[at] ?? '')))
    at += 1
  const rest = all.slice(at)
  return at > 0 && rest.length < 2 ? null : rest
}

function chosen(people: readonly string[], email: string): string {
  const [one = '', two = ''] = people
  if (people.some((word) => ANDS.has(word.toLowerCase()))) return ''
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const parts = local.split(/[._-]/)
  // The address of "Nagy Eszter" shows which part comes first; so do family names in capitals.
  const isTurned =
    people.length === 2 &&
    ((folded(two) === parts[0] && folded(one) === parts[1]) ||
      (isFamilyName(one) && !isCapitals(two) && parts.includes(folded(two))))
  if (!isTurned && isCapitals(one) && people.some((word) => !isCapitals(word))) return ''
  const first = isTurned ? two : one
  if (!isName(first)) return ''
  if (people.length > 1) return first
  const isCompany = folded(first) === folded(domain.split('.').at(-2) ?? '')
  // "asmith" is what an address book makes of an address.
  const isLocalPart = first === first.toLowerCase() && folded(first) === local
  return isCompany || isLocalPart ? '' : first
}

const isCapitals = (word: string): boolean =>
  word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase()

/** A family name in capitals: "J." and "JR" are initials. */
const isFamilyName = (word: string): boolean =>
  isCapitals(word) && plain(word).length > 2 && !INITIALS.test(word)

/** "J.R.", "A.-M.". */
const INITIALS = /^(?:\p{L}\.-?)+\p{L}?\.?$/u

function isName(word: string): boolean {
  const bare = plain(word)
  if (!WORD.test(word) || bare.length < 2 || PARTICLES.has(bare) || TITLES.has(bare)) return false
  return !INITIALS.test(word) && !word.endsWith('.')
}

/** Lower case without accents, as in addresses. */
const folded = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\p{M}.'’-]/gu, '')
    .toLowerCase()

function capital(name: string): string {
  if (name !== name.toLowerCase() && name !== name.toUpperCase()) return name
  return name.toLowerCase().replace(/(?<=^|-)\p{L}/gu, (letter) => letter.toUpperCase())
}
