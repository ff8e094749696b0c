import { KIND_WORDS } from '../invoice-kinds.ts'
import type { Face } from './faces.ts'
import type { InvoiceContent } from './invoice-document.ts'
import { type Page, PAGE_HEIGHT, PAGE_WIDTH } from './paper.ts'
import type { Measure } from './typeset.ts'

/** What is used of a document of PDFKit, which is the same in Node and in a browser. */
export type Pen = {
  addPage: (options: { size: [number, number]; margin: number }) => unknown
  font: (name: string) => { fontSize: (size: number) => unknown }
  fontSize: (size: number) => unknown
  fillColor: (color: string) => unknown
  text: (text: string, x: number, y: number, options: TextOptions) => unknown
  widthOfString: (text: string, options: TextOptions) => number
  rect: (x: number, y: number, width: number, height: number) => { fill: (color: string) => unknown }
  image: (url: string, x: number, y: number, options: { width: number; height: number }) => unknown
}
type TextOptions = { lineBreak: false; baseline: 'alphabetic'; features?: [] }

// Word by word and from left to right: the library remembers the words that it has shaped.
const BY_WORDS: TextOptions = { lineBreak: false, baseline: 'alphabetic' }
// With `features` a text is shaped as a whole. Word by word Arabic would be reversed.
const AS_A_WHOLE: TextOptions = { ...BY_WORDS, features: [] }
const optionsFor = (face: Face) => (face.startsWith('arabic') ? AS_A_WHOLE : BY_WORDS)

/** How the document is opened: no page yet, its language, and what readers show as its title. */
export function openingOptions({ kind, draft: { number, seller } }: InvoiceContent) {
  return {
    autoFirstPage: false,
    lang: 'en',
    displayTitle: true,
    info: { Title: `${KIND_WORDS[kind].name} ${number}`.trim(), Author: seller.business_name || seller.name },
  }
}

/** Widths in the fonts that the document has registered under the names of their faces. */
export function measureWith(pen: Pen): Measure {
  const EXACT = 100
  return (face: Face, text: string) => {
    pen.font(face).fontSize(EXACT)
    return pen.widthOfString(text, optionsFor(face)) / EXACT
  }
}

/** Draws pages into a PDF whose first page has not been added. */
export function paint(pen: Pen, pages: readonly Page[]): void {
  for (const { marks } of pages) {
    pen.addPage({ size: [PAGE_WIDTH, PAGE_HEIGHT], margin: 0 })
    for (const mark of marks) {
      if (mark.kind === 'box') pen.rect(mark.x, mark.y, mark.width, mark.height).fill(mark.color)
      else if (mark.kind === 'picture')
        pen.image(mark.url, mark.x, mark.y, { width: mark.width, height: mark.height })
      else {
        pen.fillColor(mark.color)
        for (const { face, text, x } of mark.line.runs) {
          pen.font(face).fontSize(mark.size)
          pen.text(text, mark.x + x, mark.baseline, optionsFor(face))
        }
      }
    }
  }
}
