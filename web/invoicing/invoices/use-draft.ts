import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { auth } from '#contract/accounts/auth.ts'
import type { WrittenKind } from '#contract/invoicing/invoice-kinds.ts'
import type { Buyer, InvoiceDraft, InvoiceItem, Seller } from '#contract/invoicing/invoices.ts'
import { readToken } from '#web/platform/api/token.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { zonedDay } from '#web/platform/dates/zoned-day.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { forgetDraft, keepDraft, readKept } from './kept-draft.ts'
import { newDraft, newItem, sellerOf, withNumber } from './new-draft.ts'

type Account = ReplyOf<typeof auth.me>

/** The draft is kept this long after the last key press, and when the page is left. */
const REST_MS = 300
const NO_ROOM = 'This browser has no room to keep what you write. Please download it before you leave.'

export type DraftChanges = {
  set: (fields: Partial<InvoiceDraft>) => void
  setSeller: (fields: Partial<Seller>) => void
  setBuyer: (fields: Partial<Buyer>) => void
  setItem: (index: number, fields: Partial<InvoiceItem>) => void
  addItem: () => void
  /** Takes a line out; the last one is emptied. */
  removeItem: (index: number) => void
  startOver: () => void
}

export type Writing = {
  draft: InvoiceDraft
  changes: DraftChanges
  /** Frees the form for the next invoice: this one has been saved. */
  release: () => void
}

/** The document that is being written, kept in this browser until the user logs out; or a draft that was saved. */
export function useDraft(
  account: Account,
  kind: WrittenKind,
  saved: InvoiceDraft | null,
  nextNumber: string | null,
): Writing {
  const begin = (seller: Seller) => {
    const today = zonedDay(new Date(), currentTimeZone())
    return withNumber(newDraft(today, seller, account, kind), nextNumber, kind)
  }
  const [draft, setDraft] = useState<InvoiceDraft>(() => {
    if (saved !== null) return saved
    const known = readKept(account.id, kind)
    if (known?.draft != null) return withNumber(known.draft, nextNumber, kind)
    // Who sells is the same on every document.
    const other = readKept(account.id, kind === 'quote' ? 'invoice' : 'quote')
    return begin((known ?? other)?.seller ?? sellerOf(account))
  })
  const stopKeeping = useKeeping(saved === null ? account.id : null, kind, draft)
  const changes = useMemo<DraftChanges>(() => {
    const set = (fields: Partial<InvoiceDraft>) => setDraft((now) => ({ ...now, ...fields }))
    const restoring = (say: string, change: (now: InvoiceDraft) => InvoiceDraft) =>
      setDraft((now) => {
        const next = change(now)
        // A state updater may run twice; the same toast is shown once.
        queueMicrotask(() => toast.success(say, { undo: () => setDraft(now) }))
        return next
      })
    return {
      set,
      setSeller: (fields) => setDraft((now) => ({ ...now, seller: { ...now.seller, ...fields } })),
      setBuyer: (fields) => setDraft((now) => ({ ...now, buyer: { ...now.buyer, ...fields } })),
      setItem: (index, fields) =>
        setDraft((now) => ({
          ...now,
          items: now.items.map((one, at) => (at === index ? { ...one, ...fields } : one)),
        })),
      addItem: () => setDraft((now) => ({ ...now, items: [...now.items, newItem()] })),
      removeItem: (index) =>
        restoring('Line removed', (now) => {
          const items = now.items.filter((_, at) => at !== index)
          return { ...now, items: items.length === 0 ? [newItem()] : items }
        }),
      startOver: () => restoring('Started over', (now) => begin(now.seller)),
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the account only counts when a draft begins
  }, [])
  const release = () => {
    stopKeeping()
    forgetDraft(account.id, kind, draft.seller)
  }
  return { draft, changes, release }
}

/**
 * Keeps the draft a moment after the last change, and at once when the page is hidden or left. Returns what drops a
 * change that is not kept yet.
 */
function useKeeping(userId: number | null, kind: WrittenKind, draft: InvoiceDraft): () => void {
  const unkept = useRef<InvoiceDraft | null>(null)
  const hasTold = useRef(false)
  const first = useRef<InvoiceDraft | null>(draft)
  useEffect(() => {
    // Nothing was written yet: an empty invoice is not worth keeping, and tomorrow has another date.
    if (userId === null || draft === first.current) return undefined
    first.current = null
    const keep = () => {
      if (unkept.current === null) return
      const isKept = keepDraft(userId, kind, unkept.current)
      unkept.current = null
      if (!isKept && !hasTold.current) toast.error(NO_ROOM)
      hasTold.current = !isKept
    }
    unkept.current = draft
    const timer = setTimeout(keep, REST_MS)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  }, [userId, kind, draft])
  useEffect(
    () => () => {
      if (userId !== null && unkept.current !== null && readToken() !== null)
        keepDraft(userId, kind, unkept.current)
    },
    [userId, kind],
  )
  return () => void (unkept.current = null)
}
