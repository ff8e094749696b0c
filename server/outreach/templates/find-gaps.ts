import { fieldOf, type FieldName, FIELDS } from '#contract/outreach/template-text/fields.ts'
import { cleanValue } from '#contract/outreach/template-text/fill-template.ts'
import { fieldValues, type Reader, type TemplateWriter } from './field-values.ts'
import { fillBoth, type ReadTemplate, type RenderedTemplate } from './render-template.ts'

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
export function gapFinder(template: ReadTemplate, from: TemplateWriter): (to: Reader) => readonly Gap[] {
  const found = new Map<string, readonly Gap[]>()
  return (to) => {
    const values = fieldValues(to, from)
    const known = FIELDS.map(({ name }) => (cleanValue(values[name]) === '' ? '-' : '+')).join('')
    const gaps = found.get(known) ?? gapsIn(fillBoth(template, values))
    found.set(known, gaps)
    return gaps
  }
}
