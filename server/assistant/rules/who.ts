import { pageOfContacts, type ContactRow } from '../../crm/contacts/contacts.ts'
import { contactSource } from '../tools/sources.ts'
import { shownWords } from '../tools/shown-words.ts'
import type { Asking } from '../tools/tool.ts'
import { type Answer, cite } from './answer.ts'
import { isNear } from './plain-words.ts'

/** Contacts among which a person is looked for by name. */
const LOOKED_AT = 20
const SHOWN = 6
const PRONOUNS = /^(?:him|her|them|they|he|she|this (?:contact|person|customer)|the (?:contact|customer))$/i

/** Whom the conversation is about, for "write to her". */
export type Subject = { name: string; email: string }

/**
 * The one contact that somebody means. If there is none, or more than one, the answer says so and null comes back.
 */
export async function whoIs(
  asking: Asking,
  answer: Answer,
  said: string,
  subject: Subject,
): Promise<ContactRow | null> {
  const isPronoun = PRONOUNS.test(said.trim()) || said.trim() === ''
  const name = isPronoun ? subject.email || subject.name : cleanName(said)
  if (name === '') {
    answer.lines.push('Please tell me whom you mean, by name or address.')
    return null
  }
  const exact = await contactsNamed(asking, name)
  const found = exact.length > 0 ? exact : await contactsNearly(asking, name)
  const [only] = found
  if (exact.length === 0 && only !== undefined && found.length === 1)
    answer.lines.push(
      `I took “${shownWords(name, 80)}” for ${shownWords(only.name || only.email, 80)}${cite(answer.sources, contactSource(only))}.`,
    )
  if (only === undefined) {
    answer.lines.push(
      `I found no contact “${shownWords(name, 80)}”. Please check the name, or add the contact first: “Add contact Ann Lee ann@example.com”.`,
    )
    return null
  }
  if (found.length === 1) return only
  answer.lines.push(
    [
      `There is more than one contact “${shownWords(name, 80)}”. Whom do you mean? Please ask again with the address.`,
      ...found
        .slice(0, SHOWN)
        .map(
          (each) =>
            `- ${shownWords(each.name, 80)}, ${shownWords(each.email, 80)}${cite(answer.sources, contactSource(each))}`,
        ),
      ...(found.length > SHOWN ? [`- … and ${found.length - SHOWN} more`] : []),
    ].join('\n'),
  )
  return null
}

/** Contacts with this name or address; where some match best, only those. */
export async function contactsNamed(asking: Asking, name: string): Promise<ContactRow[]> {
  const { rows } = await pageOfContacts(asking.context, asking.user, {
    search: name,
    page: 1,
    page_size: LOOKED_AT,
    total: 'rough',
  })
  const key = name.toLowerCase()
  const wanted = wordsOf(key)
  const exact = rows.filter((row) => row.email.toLowerCase() === key || row.name.toLowerCase() === key)
  if (exact.length > 0) return exact
  const byName = rows.filter((row) => {
    const words = new Set(wordsOf(row.name.toLowerCase()))
    return wanted.every((word) => words.has(word))
  })
  if (byName.length > 0) return byName
  const byPart = rows.filter((row) => {
    const text = `${row.name} ${row.email} ${row.company}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  return byPart
}

/** Words of a name with a slip that are looked for, and letters of the shortest. */
const WORDS_MAX = 4
const SHORTEST = 3
/** Shorter words with another letter are other words. */
const SLIP_MIN = 4

/**
 * Contacts whose name or company is nearly this: an apostrophe left out ("bobs"), or one letter off ("Olson"). The beginning of a
 * word with a slip is right, so contacts are looked for by the beginnings of words.
 */
export async function contactsNearly(asking: Asking, name: string): Promise<ContactRow[]> {
  const wanted = wordsOf(name.toLowerCase())
  if (wanted.length === 0 || wanted.length > WORDS_MAX) return []
  if (/[^s']'?s$/.test(name)) {
    const owners = await contactsNamed(asking, name.replace(/'?s$/i, ''))
    if (owners.length > 0) return owners
  }
  const parts = new Set([
    ...(wanted.length > 1 ? wanted : []),
    ...wanted.map((word) => word.slice(0, Math.max(SHORTEST, Math.ceil(word.length / 2)))),
  ])
  const rows = new Map<number, ContactRow>()
  for (const search of [...parts].filter((part) => part.length >= SHORTEST)) {
    const page = await pageOfContacts(asking.context, asking.user, {
      search,
      page: 1,
      page_size: LOOKED_AT,
      total: 'rough',
    })
    for (const row of page.rows) rows.set(row.id, row)
  }
  const isMeant = (word: string, each: string) =>
    each === word || (word.length >= SLIP_MIN && each.length >= SLIP_MIN && isNear(word, each))
  return [...rows.values()].filter((row) => {
    const words = wordsOf(`${row.name} ${row.company}`.toLowerCase())
    return wanted.every((word) => words.some((each) => isMeant(word, each)))
  })
}

const wordsOf = (text: string) => text.split(/[\s,.]+/).filter((word) => word !== '')

/** A name without what a sentence puts around it. */
export function cleanName(said: string): string {
  return said
    .replaceAll(/[“”"]/g, '')
    .replace(/^(?:an? |the |my |our |contact |customer |mr\.? |mrs\.? |ms\.? |dr\.? )+/i, '')
    .replace(/(?:,? please|'s|’s)$/i, '')
    .replace(/\s+(?:last|recent|latest) (?:e-?mail|mail|message)$/i, '')
    .replace(/[?.!,;:]+$/, '')
    .trim()
    .slice(0, 200)
}
