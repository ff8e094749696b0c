import { ChevronRight } from 'lucide-react'
import type { ColumnMeaning, ImportColumn } from '#contract/crm/contact-imports.ts'
import { Select } from '#web/platform/ui/Select.tsx'
import { MEANING_OPTIONS, splitColumns } from './import-text.ts'

type ImportColumnsProps = {
  /**
   * The columns as Howl recognised them. They decide which rows are folded away, so that no row moves while the user
   * chooses.
   */
  columns: readonly ImportColumn[]
  meanings: readonly ColumnMeaning[]
  onChange: (place: number, meaning: ColumnMeaning) => void
}

/**
 * Lets the user choose what each column of a file becomes. Unrecognised columns are folded away if there is an email
 * column.
 */
export function ImportColumns({ columns, meanings, onChange }: ImportColumnsProps) {
  const { taken, others } = splitColumns(columns)
  const isKnown = columns.some(({ meaning }) => meaning === 'email')
  const rows = (list: typeof taken) =>
    list.map((column) => (
      <ColumnRow
        key={column.place}
        column={column}
        meaning={meanings[column.place] ?? 'ignore'}
        onChange={(meaning) => onChange(column.place, meaning)}
      />
    ))
  return (
    <section aria-labelledby="import-columns">
      <h3 id="import-columns" className="text-sm font-medium">
        Columns
      </h3>
      <ul className="mt-1.5 divide-y divide-line rounded-lg border border-line">
        {rows(taken)}
        {isKnown ? null : rows(others)}
      </ul>
      {isKnown && others.length > 0 ? (
        <details className="group mt-2">
          <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-md py-1 pr-2 text-sm text-ink-2 hover:text-ink pointer-coarse:min-h-11">
            <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
            {others.length === 1 ? '1 more column' : `${others.length} more columns`}, not imported
          </summary>
          <ul className="mt-1 divide-y divide-line rounded-lg border border-line">{rows(others)}</ul>
        </details>
      ) : null}
    </section>
  )
}

type ColumnRowProps = {
  column: ImportColumn
  meaning: ColumnMeaning
  onChange: (meaning: ColumnMeaning) => void
}

function ColumnRow({ column: { name, samples }, meaning, onChange }: ColumnRowProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_9.5rem] items-center gap-3 px-3 py-2">
      <div className="min-w-0">
        <p className="truncate font-medium" title={name}>
          {name}
        </p>
        <p className="truncate text-sm text-ink-2">{samples.length > 0 ? samples.join(' · ') : 'Empty'}</p>
      </div>
      <Select
        aria-label={`${name} becomes`}
        value={meaning}
        options={MEANING_OPTIONS}
        onChange={(event) => onChange(event.target.value as ColumnMeaning)}
      />
    </li>
  )
}
