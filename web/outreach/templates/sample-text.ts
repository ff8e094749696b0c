import { FIELDS, type FieldValues } from '#contract/outreach/template-text/fields.ts'
import { fillTemplate } from '#contract/outreach/template-text/fill-template.ts'
import { parseTemplate } from '#contract/outreach/template-text/parse-template.ts'

/** A part of a template as one contact would read it; the template itself while it has mistakes. */
export function sampleText(source: string, values: FieldValues): string {
  const { nodes, problems } = parseTemplate(source)
  return problems.length > 0 ? source : fillTemplate(nodes, values).text.trim()
}

/** Values of which each has something to show: an empty one says what it is, "(company)". */
export function withNames(values: FieldValues): FieldValues {
  const named = FIELDS.map(({ name, label }) => [name, values[name] || `(${label.toLowerCase()})`])
  return Object.fromEntries(named) as FieldValues
}
