import { addressKey } from '../mail/addresses.ts'
import type { Attendee } from './store.ts'

/** Addresses as rows; one address is one row, however it is written. */
export function attendeesFrom(addresses: readonly string[]): Attendee[] {
  const byKey = new Map(addresses.map((address) => [addressKey(address), address]))
  return [...byKey].map(([address_key, address]) => ({ address_key, address }))
}
