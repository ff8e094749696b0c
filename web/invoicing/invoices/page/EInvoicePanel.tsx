import { FileCode2, FileDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { hasEInvoices, type Hindrances, readEInvoice } from '#contract/invoicing/e-invoice/e-invoice.ts'
import { type EInvoiceFormat, eInvoiceName } from '#contract/invoicing/e-invoice/model.ts'
import { type Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import { fetchFile, saveFile } from '#web/platform/api/download.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { editPath } from '../saved-draft.ts'

const NONE: Hindrances = { missing: [], problems: [] }

/** Both e-invoices of a document, or what they need; only for sellers in the EU. */
export function EInvoicePanel({ invoice }: { invoice: Invoice }) {
  if (!hasEInvoices(invoice)) return null
  const facturX = readEInvoice(invoice, 'factur-x').hindrances ?? NONE
  const xRechnung = readEInvoice(invoice, 'xrechnung').hindrances ?? NONE
  // What both need is said once.
  const more: Hindrances = {
    missing: xRechnung.missing.filter((words) => !facturX.missing.includes(words)),
    problems: [],
  }
  const isDraft = invoice.status === 'draft'
  const isReady = !isHindered(facturX)
  return (
    <Card title="E-invoice">
      <div className="flex flex-col gap-3">
        {isDraft || isHindered(facturX) ? null : (
          <Download invoice={invoice} format="factur-x" icon={<FileDown aria-hidden className="size-4" />}>
            PDF with data (Factur-X / ZUGFeRD)
          </Download>
        )}
        {isDraft || isHindered(xRechnung) ? null : (
          <Download invoice={invoice} format="xrechnung" icon={<FileCode2 aria-hidden className="size-4" />}>
            XRechnung (XML)
          </Download>
        )}
        {isReady && isDraft ? (
          <p className="text-ink-2">Everything is there. You can download it once this is issued.</p>
        ) : null}
        <Needs title="An e-invoice needs" hindrances={facturX} />
        {isReady ? (
          <XRechnungNeeds hindrances={more} />
        ) : (
          <Needs title="XRechnung also needs" hindrances={more} />
        )}
        {isReady && !isHindered(more) ? null : <WhatToDo invoice={invoice} isReady={isReady} />}
      </div>
    </Card>
  )
}

const isHindered = ({ missing, problems }: Hindrances) => missing.length + problems.length > 0

/** Most customers do without XRechnung, so what it needs is there for those who look. */
function XRechnungNeeds({ hindrances }: { hindrances: Hindrances }) {
  if (!isHindered(hindrances)) return null
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-ink-2 hover:text-ink">
        For XRechnung more is needed
      </summary>
      <div className="pt-2">
        <Needs title="XRechnung needs" hindrances={hindrances} />
      </div>
    </details>
  )
}

function WhatToDo({ invoice, isReady }: { invoice: Invoice; isReady: boolean }) {
  if (invoice.status === 'draft')
    return (
      <Link to={editPath(invoice.id)} className="w-fit rounded-sm text-accent hover:underline">
        Fill this in
      </Link>
    )
  if (isReady) return null
  return (
    <p className="text-sm text-ink-2">
      {invoice.kind === 'invoice'
        ? 'What is issued stays as it is. To add something, credit this invoice and issue a new one.'
        : 'What is issued stays as it is.'}
    </p>
  )
}

function Needs({ title, hindrances }: { title: string; hindrances: Hindrances }) {
  const { missing, problems } = hindrances
  if (!isHindered(hindrances)) return null
  return (
    <div className="flex flex-col gap-1.5">
      {missing.length === 0 ? null : (
        <>
          <p>{title}:</p>
          <ul aria-label={title} className="list-disc pl-5 text-ink-2">
            {missing.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      )}
      {problems.map((problem) => (
        <p key={problem} className="text-amber">
          {problem}
        </p>
      ))}
    </div>
  )
}

type DownloadProps = { invoice: Invoice; format: EInvoiceFormat; icon: ReactNode; children: ReactNode }

function Download({ invoice, format, icon, children }: DownloadProps) {
  const [isBusy, setBusy] = useState(false)
  const fetchIt = async () => {
    setBusy(true)
    try {
      const { id } = invoice
      saveFile(
        await fetchFile(invoices.eInvoice, { params: { id }, query: { format } }),
        eInvoiceName(invoice, format),
      )
    } catch (error) {
      toast.error(sentenceOf(error, 'Failed to make the e-invoice'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={icon} busy={isBusy} onClick={() => void fetchIt()} className="justify-start">
      {children}
    </Button>
  )
}
