import type { Download, Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { readPdf } from './read-pdf.ts'

const bytesOf = async (download: Download) => new Uint8Array(await readFile(await download.path()))

/** Presses "Download PDF"; returns the file as a reader finds it. */
export async function downloaded(page: Page): Promise<{ name: string; text: string; pages: number }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PDF' }).click(),
  ])
  const pages = await readPdf(await bytesOf(download))
  const text = pages.map((one) => one.text).join('\n')
  return { name: download.suggestedFilename(), text: text.replaceAll(/\s+/g, ' '), pages: pages.length }
}
