import { compile } from 'html-to-text'
import { cutHtml } from './cut-html.ts'

/** HTML beyond this adds nothing that a reader of the text needs. */
const MAX_HTML_CHARS = 500_000
const MAX_TAGS = 20_000

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_CHARS, maxDepth: 150, maxChildNodes: 20_000, ellipsis: '' },
  selectors: [
    { selector: 'img', format: 'skip' },
    // Tracking links would drown the text; the HTML keeps them.
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'hr', options: { length: 40 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** The text of an HTML mail, with quotes marked by "> ". Never throws. */
export function htmlToWords(html: string): string {
  const source = cutHtml(html, { chars: MAX_HTML_CHARS, tags: MAX_TAGS })
  try {
    // Invisible characters pad the preview lines of newsletters.
    return convert(source)
      .replace(/\u00ad|\u034f|\u200b|\u200c|\u2060|\ufeff/g, '')
      .replace(/\u00a0/g, ' ')
      .trim()
  } catch {
    return source
      .replace(/<[^<>]*>/g, ' ')
      .replace(/[ \t]+/g, ' ')
      .trim()
  }
}
