import { shownIban } from '#contract/invoicing/bank-account.ts'
import type { SharedInvoice } from '#contract/invoicing/shared-invoices.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { CopyButton } from '#web/platform/ui/CopyButton.tsx'
import { QrCode } from '#web/platform/ui/QrCode.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { useQrCode } from '#web/platform/ui/use-qr-code.ts'

type BankTransferProps = { account: NonNullable<SharedInvoice['account']>; amount: string }

/** Where to pay: every figure to copy, and for transfers in euros a code to scan. */
export function BankTransfer({ account, amount }: BankTransferProps) {
  const { bic, epc, holder, iban, reference } = account
  return (
    <Card title="Pay by bank transfer">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-6">
        <dl className="grid min-w-0 grow basis-72 gap-3">
          <Row name="Account holder" value={holder} />
          <Row name="IBAN" value={shownIban(iban)} copied={iban.replaceAll(/\s/g, '')} />
          {bic === '' ? null : <Row name="BIC" value={bic} copied={bic} />}
          <Row name="Reference" value={reference} copied={reference} />
          <Row name="Amount" value={amount} />
        </dl>
        {epc === null ? null : <TransferCode epc={epc} />}
      </div>
    </Card>
  )
}

/** `copied` is what the button copies; without it there is none. */
function Row({ name, value, copied }: { name: string; value: string; copied?: string }) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{name}</dt>
      <dd className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span dir="auto" className="min-w-0 wrap-anywhere tabular-nums select-all">
          {value}
        </span>
        {copied === undefined ? null : (
          <CopyButton short text={copied} what={name === 'Reference' ? 'reference' : name} />
        )}
      </dd>
    </div>
  )
}

function TransferCode({ epc }: { epc: string }) {
  const code = useQrCode(epc)
  if (code === 'failed') return null
  return (
    <figure className="mx-auto flex flex-col items-center gap-2">
      {code === null ? (
        <Skeleton className="size-44" />
      ) : (
        <QrCode modules={code} label="QR code for this transfer" />
      )}
      <figcaption className="max-w-44 text-center text-sm text-balance text-ink-2">
        Scan it with your banking app
      </figcaption>
    </figure>
  )
}
