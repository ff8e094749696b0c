import { addressKey } from '../../formats/mail-text/addresses.ts'
import type { Attendee } from './store.ts'

/** Addresses as rows; addresses that differ only in case are one row. */
export function attendeesFrom(addresses: readonly string[]): Attendee[] {
  const byKey = new Map(addresses.map((address) => [addressKey(address), address]))
  return [...byKey].map(([address_key, address]) => ({ address_key, address }))
}
