import sanitizeHtml from 'sanitize-html'
import { cutHtml } from './cut-html.ts'
import { cleanStyle } from './sanitize-style.ts'
import { ATTRIBUTES as INCOMING_ATTRIBUTES, DROPPED_WHOLE, withoutBlanks } from './sanitize.ts'
import { cleanText } from '../../platform/text.ts'

const MAX_HTML_CHARS = 2_000_000
const MAX_TAGS = 40_000
const MAX_NESTING = 100
const MAX_URL_CHARS = 4_000
/** Pictures embedded in the HTML itself. */
const MAX_PICTURE_CHARS = 1_500_000

/** What the editor produces, and what pasted text and a quoted mail consist of. */
const TAGS =
  'a abbr b bdi bdo blockquote br caption center code col colgroup dd del div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr'.split(
    ' ',
  )
/** The name of a removed element. */
const NO_ELEMENT = 'none'
const { hspace, vspace, size, nowrap, open, ...common } = INCOMING_ATTRIBUTES
/** Plain attributes, each with the form its value must have; stricter than what is shown of the mails of others. */
const ATTRIBUTES: Record<string, RegExp> = {
  ...common,
  align: /^(?:left|right|center|justify)$/i,
  width: /^\d{1,4}(?:%|px)?$/i,
  height: /^\d{1,4}(?:%|px)?$/i,
  type: /^(?:1|a|i|disc|circle|square|cite)$/i,
  alt: /^[^<>]{0,1000}$/,
  title: /^[^<>]{0,1000}$/,
}

/**
 * HTML of mail to be sent: what the editor produces, and a quoted mail below it. No script, form, frame, class or id
 * passes; pictures are allowed by URL, by Content-ID or embedded.
 */
export function sanitizeOutgoingHtml(html: string): string {
  return sanitizeHtml(cleanText(cutHtml(html, { chars: MAX_HTML_CHARS, tags: MAX_TAGS })), {
    allowedTags: TAGS,
    allowedAttributes: { '*': [...Object.keys(ATTRIBUTES), 'style', 'href', 'src'] },
    nonTextTags: DROPPED_WHOLE,
    disallowedTagsMode: 'discard',
    nestingLimit: MAX_NESTING,
    parseStyleAttributes: false,
    allowProtocolRelative: false,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data', 'cid'] },
    transformTags: { '*': safeElement },
  }).trim()
}

/** A picture without a source counts as a forbidden element: it is removed and has no inner text. */
function safeElement(tag: string, given: Record<string, string>) {
  const attribs = safeAttributes(tag, given)
  return { tagName: tag === 'img' && attribs['src'] === undefined ? NO_ELEMENT : tag, attribs }
}

/** Built from scratch, so that nothing passes by being overlooked. */
function safeAttributes(tag: string, given: Record<string, string>): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const [name, form] of Object.entries(ATTRIBUTES)) {
    const value = given[name]?.trim()
    if (value !== undefined && form.test(value)) safe[name] = value
  }
  const { style } = cleanStyle(given['style'] ?? '')
  if (style !== '') safe['style'] = style
  const href = tag === 'a' ? link(given['href'] ?? '') : null
  if (href !== null) safe['href'] = href
  const src = tag === 'img' ? picture(given['src'] ?? '') : null
  if (src !== null) safe['src'] = src
  return safe
}

function link(given: string): string | null {
  const url = withoutBlanks(given)
  if (url.length > MAX_URL_CHARS) return null
  if (/^(?:mailto|tel):/i.test(url)) return url
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null
}

function picture(given: string): string | null {
  const url = withoutBlanks(given)
  if (/^cid:[^\s<>"']{1,300}$/i.test(url)) return url
  if (/^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]+$/i.test(url))
    return url.length > MAX_PICTURE_CHARS ? null : url
  return url.length <= MAX_URL_CHARS && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null
}
