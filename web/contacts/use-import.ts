import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { contacts, IMPORT_MAX_BYTES, type ImportResult } from '#contract/contacts.ts'
import type { LiveEvent } from '#contract/events.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { useLiveProgress } from '#web/api/live.ts'
import { refresh } from '#web/api/queries.ts'
import { upload } from '#web/api/upload.ts'
import { toast } from '#web/ui/toast.ts'

export type Importing =
  | { state: 'idle' }
  | {
      state: 'running'
      fileName: string
      sent: number
      size: number
      seen: LiveEvent | null
      stop: () => void
    }
  | { state: 'failed'; fileName: string; why: string }
  | { state: 'done'; fileName: string; result: ImportResult }

/** An import of a file from the choice to its result; there is one at a time. */
export function useImport() {
  const client = useQueryClient()
  const told = useLiveProgress('import')
  const [importing, setImporting] = useState<Importing>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  // Whoever leaves the page would not learn how it ends.
  useEffect(() => () => running.current?.abort(), [])

  const start = async (file: File) => {
    if (running.current !== null) return
    const why = refusalOf(file)
    if (why !== null) {
      setImporting({ state: 'failed', fileName: file.name, why })
      return
    }
    const controller = new AbortController()
    running.current = controller
    const begun = {
      state: 'running',
      fileName: file.name,
      size: file.size,
      seen: told,
      stop: () => controller.abort(),
    } as const
    setImporting({ ...begun, sent: 0 })
    try {
      const result = await upload(contacts.import, file, {
        signal: controller.signal,
        onProgress: (sent, size) => setImporting({ ...begun, sent, size }),
      })
      // The list behind the result must not say that there is nobody yet.
      await refresh(client, contacts.list)
      setImporting({ state: 'done', fileName: file.name, result })
      toast.success(result.message)
    } catch (error) {
      void refresh(client, contacts.list)
      if (controller.signal.aborted) {
        setImporting({ state: 'idle' })
        toast.info('Import cancelled')
      } else {
        setImporting({
          state: 'failed',
          fileName: file.name,
          why: sentenceOf(error, 'Failed to import contacts'),
        })
      }
    } finally {
      running.current = null
    }
  }

  return {
    importing,
    // What was told before this import began is about another one.
    told: importing.state === 'running' && told !== importing.seen ? told : null,
    start: (file: File) => void start(file),
    close: () => setImporting({ state: 'idle' }),
  }
}

function refusalOf(file: File): string | null {
  if (!/\.csv$/i.test(file.name)) return 'Please choose a .csv file'
  if (file.size > IMPORT_MAX_BYTES)
    return `This file is larger than ${IMPORT_MAX_BYTES / 1024 / 1024} MB. Please split it into smaller files.`
  return null
}
