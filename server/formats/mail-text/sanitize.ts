import sanitizeHtml from 'sanitize-html'
import { cutHtml } from './cut-html.ts'
import { cleanStyle } from './sanitize-style.ts'
import { cleanText } from '../../platform/text.ts'

export type SanitizeOptions = {
  /** Keep pictures of other servers; without it they wait in `data-remote-src` and `data-remote-background`. */
  allowRemote?: boolean
  /** Where a part of the mail can be fetched from, by Content-ID; null drops the picture. */
  cid?: (contentId: string) => string | null
}

/** HTML beyond this is cut: no mail program shows megabytes of markup. */
const MAX_HTML_CHARS = 2_000_000
const MAX_TAGS = 40_000
/** Elements deeper than this are opened up; browsers stop at 512. */
const MAX_NESTING = 100
const MAX_DATA_IMAGE_CHARS = 500_000
const MAX_URL_CHARS = 4_000

export const TAGS = words(
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup ' +
    'dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ' +
    'ins kbd li main mark ol p pre q s samp section small span strike strong sub summary sup table ' +
    'tbody td tfoot th thead time tr tt u ul var wbr',
)
/** Elements that go with all they hold. */
export const DROPPED_WHOLE = words(
  'script style title textarea option select noscript noembed noframes iframe frameset object ' +
    'embed applet svg math template xmp plaintext audio video canvas map portal xml',
)
/** Plain attributes, each with the form its value must have. */
export const ATTRIBUTES = {
  align: /^(?:left|right|center|justify|middle|top|bottom|absmiddle|baseline)$/i,
  valign: /^(?:top|middle|bottom|baseline)$/i,
  dir: /^(?:ltr|rtl|auto)$/i,
  lang: /^[a-z0-9-]{1,35}$/i,
  width: /^\d{1,4}(?:\.\d{1,3})?(?:%|px)?$/i,
  height: /^\d{1,4}(?:\.\d{1,3})?(?:%|px)?$/i,
  border: /^\d{1,3}$/,
  cellpadding: /^\d{1,3}$/,
  cellspacing: /^\d{1,3}$/,
  colspan: /^\d{1,3}$/,
  rowspan: /^\d{1,3}$/,
  hspace: /^\d{1,3}$/,
  vspace: /^\d{1,3}$/,
  start: /^-?\d{1,5}$/,
  size: /^[+-]?\d{1,2}$/,
  type: /^(?:1|a|i|disc|circle|square)$/i,
  bgcolor: /^(?:#[0-9a-f]{3,8}|[a-z]{3,30})$/i,
  color: /^(?:#[0-9a-f]{3,8}|[a-z]{3,30})$/i,
  face: /^[\w ,'-]{1,200}$/,
  nowrap: /^(?:nowrap)?$/i,
  open: /^(?:open)?$/i,
} satisfies Record<string, RegExp>
const FREE_TEXT_ATTRIBUTES = ['title', 'alt', 'summary']
const WRITTEN_BY_US = ['style', 'src', 'href', 'target', 'rel', 'data-remote-src', 'data-remote-background']

/**
 * Mail HTML made harmless, the first of two passes (the second is the browser's, in a frame without scripts).
 * `remote` counts what would have been loaded from elsewhere. Classes, ids and names are gone, so nothing can clobber
 * or restyle the page. `isWhole` is false where the end of the HTML was cut off, here or when the mail was kept.
 */
export function sanitizeMailHtml(
  html: string,
  options: SanitizeOptions = {},
): { html: string; remote: number; isWhole: boolean } {
  const seen = { remote: 0 }
  const source = cutHtml(html, { chars: MAX_HTML_CHARS, tags: MAX_TAGS })
  const clean = sanitizeHtml(cleanText(source), {
    allowedTags: TAGS,
    allowedAttributes: { '*': [...Object.keys(ATTRIBUTES), ...FREE_TEXT_ATTRIBUTES, ...WRITTEN_BY_US] },
    nonTextTags: DROPPED_WHOLE,
    disallowedTagsMode: 'discard',
    nestingLimit: MAX_NESTING,
    parseStyleAttributes: false,
    allowProtocolRelative: false,
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    enforceHtmlBoundary: false,
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: safeAttributes(tagName, attribs, options, seen) }),
    },
  })
  // A mail's HTML is kept up to the same limit: so much of it, or half a character less, is its beginning.
  const isWhole = source.length === html.length && html.length < MAX_HTML_CHARS - 1
  return { html: clean, remote: seen.remote, isWhole }
}

/** A word list is read more easily than its quotes. */
function words(list: string): string[] {
  return list.split(' ')
}

/** Built anew, so that nothing passes by being overlooked. */
function safeAttributes(
  tag: string,
  given: Record<string, string>,
  options: SanitizeOptions,
  seen: { remote: number },
): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const [name, form] of Object.entries(ATTRIBUTES)) {
    const value = given[name]?.trim()
    if (value !== undefined && form.test(value)) safe[name] = value
  }
  for (const name of FREE_TEXT_ATTRIBUTES) if (given[name]) safe[name] = given[name].slice(0, 1_000)
  if (tag === 'a') Object.assign(safe, linkAttributes(given['href'] ?? ''))
  if (tag === 'img') Object.assign(safe, pictureAttributes(given['src'] ?? '', options, seen))
  const { style, background } = cleanStyle(given['style'] ?? '')
  const picture = background ?? (given['background'] ? remoteUrl(given['background']) : null)
  const drawn = picture ? backgroundAttributes(picture, options, seen) : null
  const styles = [style, drawn?.style ?? ''].filter((part) => part !== '').join('; ')
  if (styles !== '') safe['style'] = styles
  if (drawn?.waiting) safe['data-remote-background'] = drawn.waiting
  return safe
}

function linkAttributes(href: string): Record<string, string> {
  const url = bare(href)
  if (/^(?:mailto|tel):/i.test(url))
    return { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }
  const remote = remoteUrl(url)
  return remote ? { href: remote, target: '_blank', rel: 'noopener noreferrer nofollow' } : {}
}

function pictureAttributes(
  src: string,
  { allowRemote, cid }: SanitizeOptions,
  seen: { remote: number },
): Record<string, string> {
  const url = bare(src)
  if (/^cid:/i.test(url)) {
    const found = cid?.(contentIdOf(url)) ?? null
    return found === null ? {} : { src: found }
  }
  if (/^data:/i.test(url)) return isDataImage(url) ? { src: url } : {}
  const remote = remoteUrl(url)
  if (!remote) return {}
  seen.remote += 1
  return allowRemote ? { src: remote } : { 'data-remote-src': remote }
}

function backgroundAttributes(
  url: string,
  { allowRemote }: SanitizeOptions,
  seen: { remote: number },
): { style?: string; waiting?: string } {
  seen.remote += 1
  // The URL class leaves quotes and brackets that would end url("…").
  const quotable = url.replace(/["'()\\<>]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return allowRemote ? { style: `background-image: url("${quotable}")` } : { waiting: quotable }
}

function contentIdOf(url: string): string {
  const id = url.slice(4).replace(/^<|>$/g, '')
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

function isDataImage(url: string): boolean {
  return (
    url.length <= MAX_DATA_IMAGE_CHARS &&
    /^data:image\/(?:png|jpe?g|gif|webp|bmp|avif);base64,[a-z0-9+/=]*$/i.test(url)
  )
}

/** Browsers ignore controls and blanks inside schemes. */
export function withoutBlanks(url: string): string {
  // oxlint-disable-next-line no-control-regex -- controls are what is taken off
  return url.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]+/g, '')
}

function bare(url: string): string {
  if (url.length > MAX_DATA_IMAGE_CHARS) return ''
  const plain = withoutBlanks(url)
  return plain.length > MAX_URL_CHARS && !/^data:/i.test(plain) ? '' : plain
}

/** An absolute http(s) URL in the form that the browser will read, or null. */
function remoteUrl(given: string): string | null {
  const url = bare(given).replace(/^[/\\]{2}/, 'https://')
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null
  const parsed = new URL(url)
  // "https://bank.example@evil.example" shows one host and goes to another.
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
