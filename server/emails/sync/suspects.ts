import type { UidSpace } from '../messages/locations-store.ts'

/** More messages than this are not remembered. */
const SUSPECTS_MAX = 1000

/** Messages that cost their connection in an earlier pass. The sync loop owns them: they outlive a pass. */
export type Suspects = {
  /**
   * Whether this message has cost a connection before; it is remembered from now on. A broken network looks the same for a
   * while, so the first time only the pass ends. The second time, in a later pass, the message is to blame.
   */
  wasSuspected(at: UidSpace, uid: number): boolean
}

/** Starts with no message under suspicion. */
export function makeSuspects(): Suspects {
  const known = new Set<string>()
  return {
    wasSuspected({ userId, mailboxId, path, uidValidity }, uid) {
      const key = [userId, mailboxId, path, uidValidity, uid].join(' ')
      if (known.delete(key)) return true
      if (known.size >= SUSPECTS_MAX) known.clear()
      known.add(key)
      return false
    },
  }
}
