import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

export type ReadPage = { width: number; height: number; text: string }

/** The pages of a PDF with their text, as a reader finds it, one item a line. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPage[]> {
  // The reader takes its bytes away.
  const reading = getDocument({ data: bytes.slice(), verbosity: 0 })
  const document = await reading.promise
  const pages: ReadPage[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const [, , width = 0, height = 0] = page.view
    pages.push({ width, height, text: items.map((item) => ('str' in item ? item.str : '')).join('\n') })
  }
  await reading.destroy()
  return pages
}
