import type { FieldValues } from '#contract/template-text/fields.ts'
import { fillTemplate } from '#contract/template-text/fill-template.ts'
import { parseTemplate } from '#contract/template-text/parse-template.ts'

/** A part of a template as one contact would read it; the template itself while it has mistakes. */
export function sampleText(source: string, values: FieldValues): string {
  const { nodes, problems } = parseTemplate(source)
  return problems.length > 0 ? source : fillTemplate(nodes, values).text.trim()
}
