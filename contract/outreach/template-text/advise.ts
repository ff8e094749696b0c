import { DISLIKED_WORDS } from './disliked-words.ts'

/** A remark on a template that may be used all the same. */
export type TemplateAdvice = { about: 'subject' | 'body'; message: string }

const SUBJECT_CHARS = 60
const BODY_WORDS = 150
const BODY_WORDS_LEAST = 15
const QUESTIONS = 2
const EXCLAMATIONS = 1
const NAMED = 5
/** Addresses that hide where a link leads. */
const SHORTENERS = new Set([
  'bit.ly',
  'tinyurl.com',
  't.co',
  'goo.gl',
  'ow.ly',
  'is.gd',
  'buff.ly',
  'cutt.ly',
])

/** What could be better about a subject and a text, in the order of the mail. */
export function advise(subject: string, body: string): TemplateAdvice[] {
  const words = withoutTags(body)
  return [
    ...adviceOnSubject(subject).map((message) => ({ about: 'subject' as const, message })),
    ...[...adviceOnLength(words), ...adviceOnStyle(words), ...adviceOnLinks(body)].map((message) => ({
      about: 'body' as const,
      message,
    })),
    ...adviceOnWords(subject, body),
  ]
}

function adviceOnSubject(subject: string): string[] {
  const said = withoutTags(subject).trim()
  const letters = withoutTags(subject, '').replaceAll(/[^\p{L}]/gu, '')
  return [
    ...(said.length > SUBJECT_CHARS
      ? [`Long: phones show about ${SUBJECT_CHARS} characters of a subject, this one has ${said.length}.`]
      : []),
    ...(/^(?:re|fwd?|aw|wg)\s*:/i.test(said)
      ? ['It looks like a reply to a mail that the reader never wrote.']
      : []),
    ...(letters.length > 5 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
      ? ['Capitals look like shouting.']
      : []),
    ...(said.includes('!') ? ['Filters dislike “!” in a subject.'] : []),
  ]
}

function adviceOnLength(body: string): string[] {
  const count = body.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  if (count > BODY_WORDS)
    return [`Long: ${count} words. What can be read in half a minute, about 100 words, is read to the end.`]
  return count < BODY_WORDS_LEAST ? [`Short: ${count} words. Does it say who writes, and why?`] : []
}

function adviceOnStyle(body: string): string[] {
  const questions = occurrences(body.replaceAll(/https?:\S+/g, ' '), '?')
  return [
    ...(questions === 0 ? ['It asks nothing. A mail with one clear question is answered more often.'] : []),
    ...(questions > QUESTIONS ? [`It asks ${questions} things. One question is easier to answer.`] : []),
    ...(occurrences(body, '!') > EXCLAMATIONS ? ['One “!” is enough.'] : []),
  ]
}

function adviceOnWords(subject: string, body: string): TemplateAdvice[] {
  return (['subject', 'body'] as const).flatMap((about) => {
    const text = ` ${withoutTags(about === 'subject' ? subject : body)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}%'-]+/gu, ' ')} `
    const found = DISLIKED_WORDS.filter((word) => text.includes(` ${word} `))
    if (found.length === 0) return []
    const named = found.slice(0, NAMED).map((word) => `“${word}”`)
    return [{ about, message: `Filters know these words from advertising: ${named.join(', ')}.` }]
  })
}

/** Links that do not lead where they seem to lead, as far as it can be seen. */
function adviceOnLinks(body: string): string[] {
  const found: string[] = []
  for (const [, shown = '', target = ''] of body.matchAll(
    /\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()]{1,500})\)/gi,
  ))
    addMismatch(found, shown, target)
  // As in "www.howl.example (https://elsewhere.example)".
  for (const [, shown = '', target = ''] of body.matchAll(
    /(?<!\S)([^\s<>()]{4,200})\s?[(<](https?:\/\/[^\s()<>]{1,500})[)>]/gi,
  ))
    addMismatch(found, shown, target)
  const hosts = [...body.matchAll(/https?:\/\/[^\s()<>"]{1,500}/gi)].map(([link]) => ({
    link,
    host: hostOf(link),
  }))
  for (const { link, host } of hosts) {
    if (host !== null && SHORTENERS.has(host))
      found.push(`${host} hides where a link leads, and filters dislike it.`)
    else if (/^http:/i.test(link) && host !== null)
      found.push(`The link to ${host} is not encrypted: use https.`)
    else if (/[{}]/.test(link.split('/')[2] ?? '')) found.push('A field is part of a link’s address.')
  }
  return [...new Set(found)].slice(0, NAMED)
}

function addMismatch(found: string[], shown: string, target: string): void {
  const from = hostOf(/^https?:/i.test(shown) ? shown : `https://${shown}`)
  const to = hostOf(target)
  if (from === null || to === null || !from.includes('.') || /\s/.test(shown.trim())) return
  if (from !== to && !to.endsWith(`.${from}`) && !from.endsWith(`.${to}`))
    found.push(`A link says ${from} and leads to ${to}.`)
}

function hostOf(link: string): string | null {
  if (!URL.canParse(link)) return null
  return new URL(link).hostname.replace(/^www\./, '')
}

const occurrences = (text: string, char: string): number => text.split(char).length - 1

/** The words that are always there: without conditions, with fields as one word each. */
function withoutTags(text: string, field = 'field'): string {
  return text.replaceAll(/\{%[^%]{0,300}%\}/g, ' ').replaceAll(/\{\{[^}]{0,300}\}\}/g, field)
}
