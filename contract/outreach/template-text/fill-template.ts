import type { FieldName, FieldValues } from './fields.ts'
import type { TemplateNode } from './parse-template.ts'

/** The longest value of a field in a mail, in characters. */
export const VALUE_MAX = 200

export type FilledTemplate = {
  text: string
  /** Fields that left a gap: without a value, without a default, and asked for by no condition. */
  blank: FieldName[]
}

/**
 * Fills in a template for one reader. Values are text and never read again: what they contain is no field. The result
 * contains no “{{”.
 */
export function fillTemplate(nodes: readonly TemplateNode[], values: FieldValues): FilledTemplate {
  const out: Output = { text: '', isGap: false, blank: new Set() }
  write(out, nodes, values)
  if (out.isGap) out.text = withoutLastBlanks(out.text)
  return { text: out.text.replaceAll(/\n{3,}/g, '\n\n'), blank: [...out.blank] }
}

type Output = { text: string; isGap: boolean; blank: Set<FieldName> }

function write(out: Output, nodes: readonly TemplateNode[], values: FieldValues): void {
  for (const node of nodes) {
    if (node.kind === 'text') append(out, node.text)
    else if (node.kind === 'if')
      write(out, cleanValue(values[node.name]) === '' ? node.otherwise : node.met, values)
    else {
      const value = cleanValue(values[node.name]) || node.fallback
      if (value !== '') append(out, value)
      else {
        out.blank.add(node.name)
        out.isGap = true
      }
    }
  }
}

/** Where a field said nothing, the blank before it goes too: not “Hello ,”. */
function append(out: Output, text: string): void {
  if (out.isGap && /^[\s,.;:!?]/.test(text)) out.text = withoutLastBlanks(out.text)
  out.isGap = false
  out.text += text
}

function withoutLastBlanks(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ') end -= 1
  return text.slice(0, end)
}

/**
 * A value as it may stand in a mail: one line of a limited length, without control characters, without characters that
 * turn the direction of what follows, and with plain brackets for braces.
 */
export function cleanValue(value: string): string {
  const flat = value
    .slice(0, 4 * VALUE_MAX)
    .replaceAll(/[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('{', '(')
    .replaceAll('}', ')')
    .trim()
  if (flat.length <= VALUE_MAX) return flat.toWellFormed()
  // The cut may go through a pair of surrogates: half a pair is left out.
  const cut = flat.slice(0, VALUE_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`.toWellFormed()
}
