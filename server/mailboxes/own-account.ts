import type { Mailbox } from './store.ts'

/** The user's own connected account, whether or not the practice mailbox is in use at the moment. */
export function ownAccount(all: readonly Mailbox[]): Mailbox | undefined {
  return all.find((row) => !row.is_practice && row.disconnected_at === null)
}

/** The account in use. */
export function primaryOf(all: readonly Mailbox[]): Mailbox | undefined {
  return all.find((row) => row.is_primary && row.disconnected_at === null)
}
