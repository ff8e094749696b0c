import type { Delivery } from '#contract/mail/emails.ts'
import type { ListedEmail } from './store.ts'

/** The delivery state of a sent mail; null for a received one. */
export function presentDelivery(row: ListedEmail): Delivery | null {
  if (row.delivery_state === null) return null
  const state = { claimed: 'sending', committed: 'sending', held: 'queued' } as const
  const shown =
    row.delivery_state in state
      ? state[row.delivery_state as keyof typeof state]
      : (row.delivery_state as Delivery['state'])
  return {
    state: shown,
    ...(row.delivery_reason === null ? {} : { reason: row.delivery_reason }),
    ...(shown === 'deferred' && row.delivery_next_try_at !== null
      ? { next_try_at: row.delivery_next_try_at.toISOString() }
      : {}),
  }
}
