/** A longer style attribute is dropped. */
const MAX_STYLE_CHARS = 5_000
const MAX_VALUE_CHARS = 300

/**
 * Properties for layout of text and tables. Nothing that leaves its box (position, z-index, transform), moves or
 * hides.
 */
const PROPERTIES =
  /^(?:color|background(?:-color|-repeat|-position|-size)?|font(?:-family|-size|-style|-variant|-weight)?|line-height|letter-spacing|word-spacing|text-(?:align|decoration|indent|transform)|vertical-align|white-space|word-(?:break|wrap)|overflow-wrap|direction|margin(?:-top|-right|-bottom|-left)?|padding(?:-top|-right|-bottom|-left)?|border(?:-top|-right|-bottom|-left)?(?:-color|-style|-width)?|border-(?:radius|collapse|spacing)|(?:max-|min-)?(?:width|height)|display|float|clear|list-style(?:-type|-position)?|table-layout|caption-side|empty-cells|box-sizing|mso-line-height-rule)$/

/** A remote URL in `url(…)`. */
const REMOTE = /^\s*(?:["']\s*)?((?:https?:)?\/\/[^\s"'()\\]{1,2000})/i

/**
 * The declarations of a style attribute that cannot load, run or escape, and the first remote background (absolute
 * http or https URL). No backslash, comment, "@", "<" or unknown function passes, so nothing needs decoding.
 */
export function cleanStyle(style: string): { style: string; background: string | null } {
  if (style === '' || style.length > MAX_STYLE_CHARS) return { style: '', background: null }
  const background = remoteBackground(style)
  const kept: string[] = []
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 1) continue
    const property = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration.slice(colon + 1).trim()
    if (PROPERTIES.test(property) && isHarmless(property, value)) kept.push(`${property}: ${value}`)
  }
  return { style: kept.join('; '), background: background === null ? null : absolute(background) }
}

/** The first remote URL in a declaration of a background. */
function remoteBackground(style: string): string | null {
  let inBackground = false
  for (const { 0: mark, index } of style.matchAll(/;|url\(|background(?:-image)?\s*:/gi)) {
    if (mark.endsWith('(')) {
      const url = inBackground ? REMOTE.exec(style.slice(index + mark.length))?.[1] : undefined
      if (url !== undefined) return url
    } else inBackground = mark !== ';'
  }
  return null
}

function isHarmless(property: string, value: string): boolean {
  if (value === '' || value.length > MAX_VALUE_CHARS || !/^[\w#%.,()\s'"!+*-]+$/.test(value)) return false
  // Unbalanced quotes or brackets would swallow the declarations after them.
  if ((value.split('"').length + value.split("'").length) % 2 !== 0) return false
  if (value.split('(').length !== value.split(')').length) return false
  for (const before of value.split('(').slice(0, -1))
    if (!/(?:^|[^\w-])(?:rgba?|hsla?|calc)$/i.test(before.trimEnd())) return false
  // Negative margins and indents place text over other text.
  if (/^(?:margin|text-indent|letter-spacing|word-spacing)/.test(property) && /-\s*[\d.]/.test(value))
    return false
  if (
    property === 'display' &&
    !/^(?:block|inline|inline-block|table|table-row|table-cell|none|list-item)\b/i.test(value)
  )
    return false
  return true
}

function absolute(url: string): string | null {
  const whole = url.startsWith('//') ? `https:${url}` : url
  return URL.canParse(whole) ? new URL(whole).href : null
}
