import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { InvoiceNav } from '../InvoiceNav.tsx'
import { Numbering } from './Numbering.tsx'

/** What holds for all invoices. */
export function InvoiceSettingsPage() {
  return (
    <>
      <PageHeader title="Invoice settings" />
      <InvoiceNav />
      <div className="grid gap-5">
        <Numbering />
      </div>
    </>
  )
}
