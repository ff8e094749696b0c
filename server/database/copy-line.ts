/** One row in COPY's text format. */
export function copyLine(values: readonly (string | number)[]): string {
  return `${values.map(copyText).join('\t')}\n`
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copyText(value: string | number): string {
  const text = String(value)
  return SPECIAL.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (found) => ESCAPES[found] ?? '') : text
}
