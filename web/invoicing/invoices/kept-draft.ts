import * as z from 'zod/mini'
import type { WrittenKind } from '#contract/invoicing/invoice-kinds.ts'
import { invoiceDraft, type InvoiceDraft, type Seller } from '#contract/invoicing/invoices.ts'
import { readJson } from '#web/platform/api/errors.ts'
import { keptInvoiceKey } from '#web/accounts/auth/stored-user.ts'

/** Changes with the shape of a draft: what an older version kept is left. */
const VERSION = 1

const kept = z.object({
  version: z.literal(VERSION),
  /** Null right after the invoice was started over; the seller stays. */
  draft: z.nullable(invoiceDraft),
  seller: invoiceDraft.shape.seller,
})

/** What this browser keeps of the user's invoice, or quote; null if nothing that can be read. */
export function readKept(
  userId: number,
  kind: WrittenKind,
): { draft: InvoiceDraft | null; seller: Seller } | null {
  const found = kept.safeParse(readJson(localStorage.getItem(keptInvoiceKey(userId, kind)) ?? ''))
  return found.success ? found.data : null
}

/** Keeps the draft until the user logs out. Returns false if the browser has no room for it. */
export function keepDraft(userId: number, kind: WrittenKind, draft: InvoiceDraft): boolean {
  try {
    localStorage.setItem(
      keptInvoiceKey(userId, kind),
      JSON.stringify({ version: VERSION, draft, seller: draft.seller }),
    )
    return true
  } catch {
    return false
  }
}

/** Frees the form for the next one; the seller stays. */
export function forgetDraft(userId: number, kind: WrittenKind, seller: Seller): void {
  const key = keptInvoiceKey(userId, kind)
  try {
    localStorage.setItem(key, JSON.stringify({ version: VERSION, draft: null, seller }))
  } catch {
    localStorage.removeItem(key)
  }
}
