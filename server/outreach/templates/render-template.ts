import { type FieldName, type FieldValues } from '#contract/outreach/template-text/fields.ts'
import { fillTemplate } from '#contract/outreach/template-text/fill-template.ts'
import { parseTemplate, type TemplateNode } from '#contract/outreach/template-text/parse-template.ts'
import { placesToFill } from '#contract/outreach/template-text/places-to-fill.ts'
import { fieldValues, type Reader, type TemplateWriter } from './field-values.ts'

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
  from: TemplateWriter,
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
