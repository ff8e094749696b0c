import { useEffect, useRef, useState } from 'react'
import type { Email } from '#contract/mail/emails.ts'
import { emailReading } from '#contract/mail/email-reading.ts'
import { callPage } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { folderName } from '../mail/folders.ts'
import type { MailLocation } from '../page/page-location.ts'
import type { Asked } from './use-mail-list.ts'
import type { Selection } from '../page/use-selection.ts'

/** The server returns at most this many rows at once. */
const ROWS_AT_ONCE = 1000
/** At most this many mails are selected at once, because the page keeps them in memory. */
const EVERYTHING_MAX = 10_000
/** A search returns at most this many mails, the newest. */
const FOUND_MAX = 1000

type SelectEverythingProps = {
  location: MailLocation
  asked: Asked
  total: number
  rows: readonly Email[]
  selection: Selection
}

/** Shown once a whole page is selected: selects all pages of the folder, filter or search. Its key is the list. */
export function SelectAllBanner({ location, asked, total, rows, selection }: SelectEverythingProps) {
  const [busy, setBusy] = useState(false)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  const chosen = selection.mails.length
  const where = location.search === '' ? `in ${folderName(location.folder)}` : 'found'
  // A search that reaches its limit may have older results.
  const all = location.search !== '' && total >= FOUND_MAX ? 'the newest' : 'all'
  const isPageChosen = rows.length > 0 && rows.every(({ id }) => selection.has(id))
  if (!isPageChosen || total <= rows.length || total > EVERYTHING_MAX) return null
  const chooseAll = async () => {
    setBusy(true)
    const { signal } = leaving.current
    try {
      const mails = await everything(asked, total, signal)
      // If another list is shown by now, nothing is selected in it.
      if (!signal.aborted) selection.set(mails, true)
    } catch (error) {
      if (!signal.aborted) toast.error(sentenceOf(error, 'Email list not available'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <p
      aria-live="polite"
      className="flex flex-wrap items-center justify-center gap-x-2 border-b border-line bg-accent-soft px-4 py-1.5 text-sm pointer-coarse:min-h-11"
    >
      {chosen >= total ? (
        `${all === 'all' ? 'All' : 'The newest'} ${total.toLocaleString('en')} emails ${where} are selected.`
      ) : (
        <>
          {rows.length} on this page are selected.
          <button
            type="button"
            disabled={busy}
            onClick={() => void chooseAll()}
            className="text-link disabled:opacity-60"
          >
            Select {all} {total.toLocaleString('en')} {where}
          </button>
        </>
      )}
    </p>
  )
}

/** Loads all mails of a list, over all its pages. */
async function everything(asked: Asked, total: number, signal: AbortSignal): Promise<Email[]> {
  const mails: Email[] = []
  for (let page = 1; (page - 1) * ROWS_AT_ONCE < total; page += 1) {
    const query = { ...asked, page, page_size: ROWS_AT_ONCE }
    mails.push(...(await callPage(emailReading.list, { query, signal })).rows)
  }
  return mails
}
