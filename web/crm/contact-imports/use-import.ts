import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ColumnMeaning, type ContactImport, contactImports } from '#contract/crm/contact-imports.ts'
import { contacts, IMPORT_MAX_BYTES, type ImportResult } from '#contract/crm/contacts.ts'
import type { LiveEvent } from '#contract/platform/events.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useLiveProgress } from '#web/platform/api/live.ts'
import { refresh } from '#web/platform/api/queries.ts'
import { upload } from '#web/platform/api/upload.ts'
import { toast } from '#web/platform/ui/toast.ts'
import type { Duplicates } from './import-text.ts'

/** A file of any size may take this long; the server reports what is wrong earlier. */
export const IMPORT_TIMEOUT_MS = 60 * 60_000

export type Importing =
  | { state: 'idle' }
  | { state: 'uploading'; fileName: string; sent: number; size: number; stop: () => void }
  | {
      state: 'preview'
      fileName: string
      file: ContactImport
      plan: ImportPlan
      seen: LiveEvent | null
      error: string | null
    }
  | { state: 'running'; fileName: string; seen: LiveEvent | null; stop: () => void }
  | { state: 'failed'; fileName: string; why: string }
  | { state: 'done'; fileName: string; id: number; result: ImportResult }

export type ImportPlan = { meanings: ColumnMeaning[]; duplicates: Duplicates }

/** The import of a file, from the choice of the file through the preview to the result. Only one runs at a time. */
export function useImport() {
  const client = useQueryClient()
  const told = useLiveProgress('import')
  const [importing, setImporting] = useState<Importing>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  // A user who leaves the page would not see the result, so the import is cancelled.
  useEffect(() => () => running.current?.abort(), [])

  const start = async (file: File) => {
    if (running.current !== null) return
    const fileName = file.name
    const why = refusalOf(file)
    if (why !== null) return setImporting({ state: 'failed', fileName, why })
    const controller = new AbortController()
    running.current = controller
    const begun = { state: 'uploading', fileName, size: file.size, stop: () => controller.abort() } as const
    setImporting({ ...begun, sent: 0 })
    try {
      const kept = await upload(contactImports.upload, file, {
        signal: controller.signal,
        onProgress: (sent, size) => setImporting({ ...begun, sent, size }),
      })
      const plan: ImportPlan = { meanings: kept.columns.map(({ meaning }) => meaning), duplicates: 'update' }
      setImporting({ state: 'preview', fileName, file: kept, plan, seen: told, error: null })
    } catch (error) {
      if (controller.signal.aborted) cancelled()
      else setImporting({ state: 'failed', fileName, why: sentenceOf(error, FAILED) })
    } finally {
      running.current = null
    }
  }

  const run = async (plan: ImportPlan) => {
    if (importing.state !== 'preview' || running.current !== null) return
    const { file, fileName } = importing
    const controller = new AbortController()
    running.current = controller
    setImporting({ state: 'running', fileName, seen: told, stop: () => controller.abort() })
    try {
      const result = await call(contactImports.run, {
        params: { id: file.id },
        body: plan,
        signal: controller.signal,
        timeoutMs: IMPORT_TIMEOUT_MS,
      })
      // The list behind the result must not still say that there are no contacts.
      await refresh(client, contacts.list)
      void refresh(client, contactImports.list)
      setImporting({ state: 'done', fileName, id: file.id, result })
      toast.success(result.message)
    } catch (error) {
      void refresh(client, contacts.list)
      // The user's choices are still there, to correct or to try again.
      if (controller.signal.aborted) {
        discard(file.id)
        cancelled()
      } else setImporting({ ...importing, plan, error: sentenceOf(error, FAILED) })
    } finally {
      running.current = null
    }
  }

  const cancelled = () => {
    setImporting({ state: 'idle' })
    toast.info('Import cancelled')
  }

  const close = () => {
    if (importing.state === 'preview') discard(importing.file.id)
    setImporting({ state: 'idle' })
  }

  const seen = 'seen' in importing ? importing.seen : null
  return {
    importing,
    // Progress reported before this step belongs to another one.
    told: told === seen ? null : told,
    start: (file: File) => void start(file),
    run: (plan: ImportPlan) => void run(plan),
    close,
  }
}

const FAILED = 'Failed to import contacts'

/** The server deletes the file after a day anyway, so a failure does not matter. */
function discard(id: number): void {
  call(contactImports.discard, { params: { id } }).catch(() => {})
}

function refusalOf(file: File): string | null {
  if (!/\.(csv|vcf)$/i.test(file.name)) return 'Please choose a .csv or .vcf file'
  if (file.size > IMPORT_MAX_BYTES)
    return `This file is larger than ${IMPORT_MAX_BYTES / 1024 / 1024} MB. Please split it into smaller files.`
  return null
}
