import { Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#web/platform/ui/cx.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { Detail } from './Detail.tsx'

/** In cents. */
const BENCH = 48_000
const FITTING = 9_000
const TAX_PERCENT = 20
const MOST = 12

const money = (cents: number) => `£${(cents / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`

const layouts = {
  classic: {
    head: 'border-b-2 border-ink pb-2',
    title: 'font-display text-lg',
    total: 'border-t border-ink',
  },
  modern: {
    head: 'rounded-md bg-ink px-3 py-2 text-paper',
    title: 'text-md font-semibold',
    total: 'rounded-md bg-sunken px-3',
  },
  minimal: { head: 'pb-1', title: 'text-md', total: 'border-t border-line' },
}

export function InvoiceDetail({ className }: { className?: string }) {
  const [layout, setLayout] = useState<keyof typeof layouts>('classic')
  const [benches, setBenches] = useState(4)
  const look = layouts[layout]
  const net = benches * BENCH + FITTING
  const tax = (net * TAX_PERCENT) / 100
  return (
    <Detail
      title="Invoices and proposals"
      text="Templates with the tax worked out to the penny, and a PDF that looks like you meant it."
      {...(className ? { className } : {})}
    >
      <Segmented
        label="Layout"
        value={layout}
        onChange={setLayout}
        options={[
          { value: 'classic', label: 'Classic' },
          { value: 'modern', label: 'Modern' },
          { value: 'minimal', label: 'Minimal' },
        ]}
        className="self-start"
      />
      <div className="mt-4 rounded-lg border border-line bg-paper p-4 tabular-nums">
        <div className={cx('flex items-baseline justify-between gap-3', look.head)}>
          <span className={look.title}>Nordlys Café</span>
          <span className="text-sm">INV-2026-0001</span>
        </div>
        <div className="mt-2 flex min-h-9 items-center gap-1">
          <span className="flex-1">Oak bench</span>
          <IconButton
            size="s"
            label="One bench less"
            icon={<Minus />}
            disabled={benches <= 1}
            onClick={() => setBenches(benches - 1)}
          />
          <span className="w-6 text-center">{benches}</span>
          <IconButton
            size="s"
            label="One bench more"
            icon={<Plus />}
            disabled={benches >= MOST}
            onClick={() => setBenches(benches + 1)}
          />
          <span className="w-24 text-right">{money(benches * BENCH)}</span>
        </div>
        <Row label="Fitting" cents={FITTING} />
        <Row label={`VAT ${TAX_PERCENT}%`} cents={tax} quiet />
        <div
          aria-live="polite"
          className={cx('mt-2 flex justify-between pt-2 pb-1 font-semibold', look.total)}
        >
          <span>Total</span>
          <span>{money(net + tax)}</span>
        </div>
      </div>
    </Detail>
  )
}

function Row({ label, cents, quiet = false }: { label: string; cents: number; quiet?: boolean }) {
  return (
    <div className={cx('flex min-h-8 items-center justify-between', quiet && 'text-ink-2')}>
      <span>{label}</span>
      <span>{money(cents)}</span>
    </div>
  )
}
