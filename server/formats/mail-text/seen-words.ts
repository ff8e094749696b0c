import { compile } from 'html-to-text'
import sanitizeHtml from 'sanitize-html'
import { cutHtml } from './cut-html.ts'
import { DROPPED_WHOLE, TAGS } from './sanitize.ts'

/** A conversation is read to about a tenth of this. */
const MAX_HTML_CHARS = 300_000
const MAX_TAGS = 10_000
const MAX_NESTING = 100
const MAX_STYLE_CHARS = 5000

/** `hidden`: nobody sees it and what is in it · `pale`: white, seen only on another colour · `filled`: has such a colour. */
const LOOK = 'data-look'
type Look = 'hidden' | 'pale' | 'filled'

const NOTHING = /^[+-]?(?:0*\.?0*[01](?:px|pt)|0*\.?0*)[a-z%]*$/
const HIDING: readonly (readonly [property: RegExp, value: RegExp])[] = [
  [/^display$/, /^none\b/],
  [/^visibility$/, /^(?:hidden|collapse)\b/],
  [/^opacity$/, /^0*\.?0*[0-4]?%?$/],
  [/^mso-hide$/, /^all\b/],
  [/^(?:font-size|max-height|max-width|height|width|line-height)$/, NOTHING],
  [/^font$/, /(?:^|\s)[01]?(?:px|pt)\b/],
  [/^(?:text-indent|left|top|right|margin-left|margin-top)$/, /^-\d{3,}/],
  [/^clip(?:-path)?$/, /^(?:rect\(0|inset\((?:50|100)%)/],
  [/^transform$/, /scale\(0/],
  [/^color$/, /^(?:transparent|rgba?\([^)]*[, /]0?\.?0\)|#[\da-f]{3}0|#[\da-f]{6}0\d)$/],
]
const PALE =
  /^(?:white|snow|ivory|ghostwhite|whitesmoke|#[ef]{3}|#(?:[ef][\da-f]){3}|rgba?\(2[45]\d[, ]+2[45]\d[, ]+2[45]\d.*\))$/

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 150, maxChildNodes: 20_000, ellipsis: '' },
  formatters: {
    // White words on a page without colour are not seen; on a button they are.
    pale: (element, walk, builder) => {
      for (let above = element.parent; above != null; above = above.parent)
        if (lookOf(above) === 'filled') return walk(element.children, builder)
    },
  },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { ignoreHref: true } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: `[${LOOK}="hidden"]`, format: 'skip' },
    { selector: `[${LOOK}="pale"]`, format: 'pale' },
  ],
})

const lookOf = (node: unknown) => (node as { attribs?: Record<string, string> }).attribs?.[LOOK]

/**
 * The text of an HTML mail as far as a person sees it: without what is hidden, has no size or is white on white, without
 * comments, pictures and their descriptions. Quotes are marked by "> ". Never throws.
 */
export function seenWords(html: string): string {
  try {
    const source = cutHtml(html, { chars: MAX_HTML_CHARS, tags: MAX_TAGS })
    const looks = sanitizeHtml(source, {
      allowedTags: TAGS,
      nonTextTags: DROPPED_WHOLE,
      allowedAttributes: { '*': [LOOK] },
      nestingLimit: MAX_NESTING,
      enforceHtmlBoundary: false,
      transformTags: {
        '*': (tagName, attribs) => {
          const look = lookIn(attribs)
          return { tagName, attribs: look === null ? {} : { [LOOK]: look } }
        },
      },
    })
    return convert(looks).replaceAll('\u00a0', ' ').trim()
  } catch {
    return ''
  }
}

function lookIn(attribs: Record<string, string>): Look | null {
  if ('hidden' in attribs) return 'hidden'
  const declared = declarationsIn(attribs['style'] ?? '')
  if (declared.some(([property, value]) => isHiding(property, value))) return 'hidden'
  const fill = [attribs['bgcolor'], ...valuesOf(declared, /^background(?:-color|-image)?$/)]
  if (fill.some((colour) => colour !== undefined && !isBlank(colour))) return 'filled'
  const colours = [attribs['color'], ...valuesOf(declared, /^color$/)]
  return colours.some((colour) => colour !== undefined && PALE.test(colour.trim().toLowerCase()))
    ? 'pale'
    : null
}

const isHiding = (property: string, value: string) =>
  HIDING.some(([named, hides]) => named.test(property) && hides.test(value))

const valuesOf = (declared: readonly (readonly [string, string])[], named: RegExp) =>
  declared.filter(([property]) => named.test(property)).map(([, value]) => value)

/** A background on which white is not seen. */
function isBlank(colour: string): boolean {
  const plain = colour.trim().toLowerCase()
  return plain === '' || /^(?:none|transparent|inherit|initial|unset)$/.test(plain) || PALE.test(plain)
}

function declarationsIn(style: string): [property: string, value: string][] {
  return style
    .slice(0, MAX_STYLE_CHARS)
    .toLowerCase()
    .replaceAll(/\/\*[^*]{0,500}\*\//g, '')
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':')
      if (colon < 1) return []
      const value = declaration.slice(colon + 1).replace('!important', '')
      return [[declaration.slice(0, colon).trim(), value.trim()]]
    })
}
