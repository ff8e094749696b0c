import { ChevronRight, Info } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  type ColumnMeaning,
  type ContactImport,
  contactImports,
  type ImportCheck,
} from '#contract/crm/contact-imports.ts'
import type { LiveEvent } from '#contract/platform/events.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { startsText, useTagUses } from '#web/crm/contacts/sequences-of-tag.ts'
import { tagKey } from '#web/crm/contacts/tag-suggestions.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { ImportColumns } from './ImportColumns.tsx'
import { checkStep } from './import-progress.ts'
import { contactsText, type Duplicates, outcomeOf, sourceText } from './import-text.ts'
import { ImportFigures } from './ImportFigures.tsx'
import { RefusedRows } from './RefusedRows.tsx'
import { IMPORT_TIMEOUT_MS, type ImportPlan } from './use-import.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#web/platform/api/call.ts'

type ImportPreviewProps = {
  file: ContactImport
  /** The plan as Howl recognised the file, or as the user chose it before the import failed. */
  plan: ImportPlan
  told: LiveEvent | null
  /** Why the import failed. */
  error: string | null
  onImport: (plan: ImportPlan) => void
  onClose: () => void
}

/** Shows what a file contains and what importing it will do. If every column is recognised, one button is enough. */
export function ImportPreview({ file, plan, told, error, onImport, onClose }: ImportPreviewProps) {
  const [meanings, setMeanings] = useState<ColumnMeaning[]>(plan.meanings)
  const [duplicates, setDuplicates] = useState<Duplicates>(plan.duplicates)
  const importButton = useRef<HTMLButtonElement>(null)
  const check = useImportCheck(file.id, meanings)
  const hasEmail = meanings.includes('email')
  const isReady = hasEmail && check.data !== undefined && !check.isPlaceholderData && !check.isFetching
  const outcome = check.data === undefined ? null : outcomeOf(check.data, duplicates)
  const count = isReady ? (outcome?.total ?? 0) : null
  const change = (place: number, meaning: ColumnMeaning) => setMeanings(meanings.with(place, meaning))

  return (
    <Dialog
      open
      onClose={onClose}
      title="Import Contacts"
      description={
        <span className="wrap-anywhere">
          {file.file_name}
          {sourceText(file.source)}
        </span>
      }
      size="page"
      // If the email column is recognised, Enter imports.
      {...(hasEmail ? { initialFocus: importButton } : {})}
      error={
        error ?? (check.isError && hasEmail ? sentenceOf(check.error, 'This file cannot be read') : null)
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            ref={importButton}
            variant="primary"
            busy={check.isFetching}
            disabled={!hasEmail || check.isError || count === 0}
            onClick={() => onImport({ meanings, duplicates })}
          >
            {count === null ? 'Import contacts' : `Import ${contactsText(count)}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {hasEmail ? (
          <div>
            <ImportFigures
              figures={
                outcome === null ? null : { New: outcome.create, Update: outcome.update, Skip: outcome.skip }
              }
              faint={!isReady}
            />
            <Checking isOn={check.isFetching} told={told} />
          </div>
        ) : (
          <p role="alert" className="flex gap-2 rounded-lg bg-amber-soft px-3 py-2.5 text-amber">
            <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
            Howl found no email column in this file. Choose the column with the email addresses.
          </p>
        )}
        {hasEmail && check.data !== undefined && check.data.existing > 0 ? (
          <Existing check={check.data} duplicates={duplicates} onChange={setDuplicates} />
        ) : null}
        {isReady && check.data !== undefined && check.data.refused_total > 0 ? (
          <Refused check={check.data} />
        ) : null}
        {meanings.includes('tags') ? <TagStarts /> : null}
        <ImportColumns columns={file.columns} meanings={meanings} onChange={change} />
      </div>
    </Dialog>
  )
}

/** The sequences that contacts of the file may come into by their tags. */
function TagStarts() {
  const uses = useTagUses() ?? []
  const tags = new Map(uses.flatMap(({ tags: { starts } }) => starts.map((tag) => [tagKey(tag), tag])))
  const sentences = [...tags.values()].flatMap((tag) => startsText(uses, tag) || [])
  return sentences.length === 0 ? null : (
    <p className="wrap-anywhere text-ink-2">
      Contacts who get these tags join sequences. {sentences.join(' ')}
    </p>
  )
}

function Checking({ isOn, told }: { isOn: boolean; told: LiveEvent | null }) {
  const { text, value } = checkStep(isOn ? told : null)
  if (!isOn) return null
  return (
    <div className="mt-3">
      <ProgressBar label="Check" value={value} />
      <output className="mt-1.5 block text-sm text-ink-2 tabular-nums">{text}</output>
    </div>
  )
}

type ExistingProps = {
  check: ImportCheck
  duplicates: Duplicates
  onChange: (duplicates: Duplicates) => void
}

function Existing({ check: { existing }, duplicates, onChange }: ExistingProps) {
  const are = existing === 1 ? '1 address is' : `${existing.toLocaleString('en')} addresses are`
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0">
        {are} already in your contacts.{' '}
        <span className="text-ink-2">
          {duplicates === 'update' ? 'Values in the file replace what you have.' : 'They stay unchanged.'}
        </span>
      </p>
      <Segmented
        label="Existing contacts"
        value={duplicates}
        onChange={onChange}
        options={[
          { value: 'update', label: 'Update' },
          { value: 'skip', label: 'Skip' },
        ]}
      />
    </div>
  )
}

function Refused({ check: { refused, refused_total: total } }: { check: ImportCheck }) {
  return (
    <details className="group">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-md py-1 pr-2 hover:text-ink pointer-coarse:min-h-11">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {total === 1 ? '1 row cannot be imported' : `${total.toLocaleString('en')} rows cannot be imported`}
      </summary>
      <div className="mt-1.5">
        <RefusedRows rows={refused} total={total} />
      </div>
    </details>
  )
}

/** The dry run of an uploaded file with these columns; changing them cancels the one in flight. */
function useImportCheck(id: number, meanings: readonly ColumnMeaning[]) {
  return useQuery<ImportCheck, ApiError>({
    queryKey: ['import check', id, meanings],
    queryFn: ({ signal }) =>
      call(contactImports.check, {
        params: { id },
        body: { meanings: [...meanings] },
        signal,
        timeoutMs: IMPORT_TIMEOUT_MS,
      }),
    enabled: meanings.includes('email'),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}
