import type { UidSpace } from '../messages/locations-store.ts'

/** More messages than this are not remembered. */
const SUSPECTS_MAX = 1000

/** Messages that made trouble in an earlier pass. The sync loop owns them: they outlive a pass. */
export type Suspects = {
  /**
   * How often this message has made trouble, this time included. A broken network or a busy server looks the same for a
   * while, so only a message that makes trouble in several passes is to blame.
   */
  timesSuspected(at: UidSpace, uid: number): number
  /** How often it has made trouble so far. */
  times(at: UidSpace, uid: number): number
  /** The message came after all, or was put aside. */
  clear(at: UidSpace, uid: number): void
}

/** Starts with no message under suspicion. */
export function makeSuspects(): Suspects {
  const known = new Map<string, number>()
  const keyOf = ({ userId, mailboxId, path, uidValidity }: UidSpace, uid: number) =>
    [userId, mailboxId, path, uidValidity, uid].join(' ')
  return {
    timesSuspected(at, uid) {
      const key = keyOf(at, uid)
      const times = (known.get(key) ?? 0) + 1
      if (known.size >= SUSPECTS_MAX) known.clear()
      known.set(key, times)
      return times
    },
    times: (at, uid) => known.get(keyOf(at, uid)) ?? 0,
    clear(at, uid) {
      known.delete(keyOf(at, uid))
    },
  }
}
