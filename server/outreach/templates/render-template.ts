import type { Writer } from '../briefs/briefs.ts'
import { fieldOf, type FieldName, FIELDS, type FieldValues } from '#contract/outreach/template-text/fields.ts'
import { cleanValue, fillTemplate } from '#contract/outreach/template-text/fill-template.ts'
import { parseTemplate, type TemplateNode } from '#contract/outreach/template-text/parse-template.ts'
import { placesToFill } from '#contract/outreach/template-text/places-to-fill.ts'
import { fieldValues, type Reader } from './field-values.ts'

export type TemplateText = { subject: string; body: string }

/** A template that was read once, for many mails. */
export type ReadTemplate = { subject: TemplateNode[]; body: TemplateNode[] }

export type RenderedTemplate = {
  subject: string
  text: string
  /** Fields that left a gap for this reader. */
  blank: FieldName[]
}

/** A template that cannot be used as it is: it has a mistake, or examples in brackets that nobody has replaced. */
export class UnusableTemplate extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UnusableTemplate'
  }
}

/**
 * Reads a template for sending.
 *
 * @throws UnusableTemplate with a sentence for the user
 */
export function readTemplate(template: TemplateText): ReadTemplate {
  const subject = parseTemplate(template.subject)
  const body = parseTemplate(template.body)
  const [problem] = [...subject.problems, ...body.problems]
  if (problem !== undefined) throw new UnusableTemplate(problem.message)
  const [place] = placesToFill(`${template.subject}\n${template.body}`)
  if (place !== undefined)
    throw new UnusableTemplate(`Please replace what stands in square brackets first: [${place}].`)
  return { subject: subject.nodes, body: body.nodes }
}

/**
 * The mail that a template makes for one contact. Many mails of one template are made faster from `readTemplate`.
 *
 * @throws UnusableTemplate
 */
export function renderTemplate(
  template: TemplateText | ReadTemplate,
  to: Reader,
  from: Writer,
): RenderedTemplate {
  const read = typeof template.subject === 'string' ? readTemplate(template as TemplateText) : template
  return fillBoth(read as ReadTemplate, fieldValues(to, from))
}

/** Subject and text for one reader. */
export function fillBoth({ subject, body }: ReadTemplate, values: FieldValues): RenderedTemplate {
  const head = fillTemplate(subject, values)
  const rest = fillTemplate(body, values)
  return {
    subject: head.text.replaceAll(/\s+/g, ' ').trim(),
    text: rest.text.trim(),
    blank: [...new Set([...head.blank, ...rest.blank])],
  }
}

/** A field that a mail would miss; or `subject` or `text`, where nothing would be left of it. */
export type Gap = FieldName | 'subject' | 'text'

/** The gaps of a mail that was made from a template. */
export function gapsIn({ subject, text, blank }: RenderedTemplate): Gap[] {
  const gaps: Gap[] = [...blank]
  if (subject === '') gaps.push('subject')
  if (text === '') gaps.push('text')
  return gaps
}

/** Gaps in words: "company, first name". */
export const sayGaps = (gaps: readonly Gap[]): string =>
  gaps.map((gap) => (fieldOf(gap)?.label ?? gap).toLowerCase()).join(', ')

/**
 * A function that says which gaps a template has for a reader. They follow from which fields are known: what was found for
 * one reader holds for all of whom as much is known, so that a long list is looked through at once.
 */
export function gapFinder(template: ReadTemplate, from: Writer): (to: Reader) => readonly Gap[] {
  const found = new Map<string, readonly Gap[]>()
  return (to) => {
    const values = fieldValues(to, from)
    const known = FIELDS.map(({ name }) => (cleanValue(values[name]) === '' ? '-' : '+')).join('')
    const gaps = found.get(known) ?? gapsIn(fillBoth(template, values))
    found.set(known, gaps)
    return gaps
  }
}

/** How many contacts something is about, and the names of the first few of them. */
export type Concerned = { contacts: number; names: string[] }
const NAMED = 3

/** Counts a contact under what is said of it. */
export function countUnder<What>(counts: Map<What, Concerned>, what: What, { name, email }: Reader): void {
  const those = counts.get(what) ?? { contacts: 0, names: [] }
  those.contacts += 1
  if (those.names.length < NAMED) those.names.push(name || email)
  counts.set(what, those)
}
