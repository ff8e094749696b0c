import { Download } from 'lucide-react'
import type { ImportResult } from '#contract/contacts.ts'
import type { LiveEvent } from '#contract/events.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ProgressBar } from '#web/ui/ProgressBar.tsx'
import { Cell, Table, TableRow } from '#web/ui/Table.tsx'
import { importStep } from './import-progress.ts'
import { saveRefused } from './refused-csv.ts'
import type { Importing } from './use-import.ts'

type ImportDialogProps = {
  importing: Importing
  told: LiveEvent | null
  onClose: () => void
  onChoose: () => void
}

/** How an import goes, and how it went. */
export function ImportDialog({ importing, told, onClose, onChoose }: ImportDialogProps) {
  if (importing.state === 'idle') return null
  if (importing.state === 'running') {
    const { sent, size, fileName, stop } = importing
    const { words, value } = importStep(sent, size, told)
    return (
      <Dialog
        open
        onClose={stop}
        title="Import Contacts"
        description={fileName}
        footer={<Button onClick={stop}>Cancel</Button>}
      >
        <ProgressBar label="Import" value={value} />
        <output className="mt-2 block text-ink-2 tabular-nums">{words}</output>
      </Dialog>
    )
  }
  if (importing.state === 'failed') {
    const footer = (
      <>
        <Button onClick={onClose}>Close</Button>
        <Button variant="primary" onClick={onChoose}>
          Choose another file
        </Button>
      </>
    )
    return (
      <Dialog
        open
        onClose={onClose}
        title="Import Contacts"
        description={importing.fileName}
        error={importing.why}
        footer={footer}
      >
        <p className="text-ink-2">
          Howl reads CSV files from spreadsheets and address books. One column must hold the email addresses;
          nothing was changed.
        </p>
      </Dialog>
    )
  }
  return <Result fileName={importing.fileName} result={importing.result} onClose={onClose} />
}

const COLUMNS = [
  { key: 'line', title: 'Line', align: 'right', className: 'w-18' },
  { key: 'email', title: 'Email' },
  { key: 'reason', title: 'Reason' },
] as const

function Result({
  fileName,
  result,
  onClose,
}: {
  fileName: string
  result: ImportResult
  onClose: () => void
}) {
  const { created, updated, skipped, refused } = result
  const footer = (
    <>
      {refused.length > 0 ? (
        <Button
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => saveRefused(refused, fileName)}
        >
          Download the refused rows
        </Button>
      ) : null}
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Import finished"
      description={fileName}
      size={skipped > 0 ? 'l' : 'm'}
      footer={footer}
    >
      <dl className="grid grid-cols-3 gap-2">
        <Figure word="Imported" count={created} />
        <Figure word="Updated" count={updated} />
        <Figure word="Skipped" count={skipped} />
      </dl>
      {refused.length > 0 ? (
        <section
          aria-label="Refused rows, scrolling"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
          tabIndex={0}
          className="mt-4 max-h-72 overflow-y-auto rounded-lg border border-line"
        >
          <Table label="Refused rows" columns={COLUMNS}>
            {refused.map(({ line, email, reason }) => (
              <TableRow key={line}>
                <Cell align="right" className="text-ink-2">
                  {line}
                </Cell>
                <Cell className="wrap-anywhere">{email}</Cell>
                <Cell className="text-ink-2">{reason}</Cell>
              </TableRow>
            ))}
          </Table>
        </section>
      ) : null}
      {skipped > refused.length ? (
        <p className="mt-2 text-sm text-ink-2">
          These are the first {refused.length.toLocaleString('en')} of {skipped.toLocaleString('en')} refused
          rows.
        </p>
      ) : null}
    </Dialog>
  )
}

function Figure({ word, count }: { word: string; count: number }) {
  return (
    <div className="flex flex-col-reverse rounded-lg bg-sunken px-3 py-2">
      <dt className="text-sm text-ink-2">{word}</dt>
      <dd className="text-lg font-semibold tabular-nums">{count.toLocaleString('en')}</dd>
    </div>
  )
}
