import { useState } from 'react'
import type { InvoiceContent } from '#contract/invoicing/invoice-document/invoice-document.ts'
import { pdfName } from '#contract/invoicing/invoices.ts'
import { saveFile } from '#web/platform/api/download.ts'
import { toast } from '#web/platform/ui/toast.ts'

const FAILED = 'Failed to generate PDF'

/** Makes the PDF of an invoice and saves it. What draws it is loaded when it is wanted. */
export function useDownload() {
  const [isBusy, setBusy] = useState(false)
  const download = async (content: InvoiceContent) => {
    setBusy(true)
    try {
      const { pdfOf } = await import('./document/make-pages.ts')
      saveFile(await pdfOf(content), pdfName(content.draft.number, content.kind))
    } catch {
      toast.error(FAILED)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, download }
}
