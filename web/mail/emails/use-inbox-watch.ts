import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { emailReading } from '#contract/mail/email-reading.ts'
import { call } from '#web/platform/api/call.ts'
import { ApiError } from '#web/platform/api/errors.ts'
import { refresh } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'

const RECHECK_MS = 30_000
/** The server waits up to a minute for the first sync of an account. */
const INGEST_TIMEOUT_MS = 70_000

const INGEST_SENTENCES: Record<number, string> = {
  400: 'Please configure your email settings in the Profile page to receive emails',
  500: 'Email configuration error. Please check your settings in Profile page',
}

/**
 * While the inbox is shown (`active`): fetches mail of all folders once, then checks the inbox every 30 seconds and
 * whenever the window gets the focus. Returns the function behind Refresh.
 */
export function useInboxWatch(active: boolean): () => Promise<void> {
  const client = useQueryClient()
  const ingested = useRef(false)
  const reload = async () => {
    await Promise.all([refresh(client, emailReading.list), refresh(client, emailReading.counts)])
  }
  const look = async () => {
    if (active) await call(emailReading.check).catch(tellCheckFailure)
    await reload()
  }
  const begin = useEffectEvent(async () => {
    if (ingested.current) return look()
    ingested.current = true
    await call(emailReading.ingest, { timeoutMs: INGEST_TIMEOUT_MS }).catch(tellIngestFailure)
    await reload()
  })
  const lookIfSeen = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void look()
  })
  useEffect(() => {
    if (!active) return undefined
    void begin()
    const timer = setInterval(() => lookIfSeen(), RECHECK_MS)
    const stop = new AbortController()
    window.addEventListener('focus', () => lookIfSeen(), { signal: stop.signal })
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [active])
  return look
}

function tellIngestFailure(error: unknown): void {
  const sentence = error instanceof ApiError ? INGEST_SENTENCES[error.status ?? 0] : undefined
  if (sentence !== undefined) toast.error(sentence)
}

/**
 * Reports a failed check. Problems of the account are shown in a line on the page, so they are not repeated every 30
 * seconds.
 */
function tellCheckFailure(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 400 || error.isUnsaid) return
  if (error.code === 'IMAP_NOT_CONFIGURED') return
  if (!/\bimap\b|auth/i.test(error.detail)) toast.error(error.detail)
}
