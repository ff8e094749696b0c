/** How long after a change a draft is appended to the account's Drafts folder. */
const APPEND_AFTER_MS = 10_000

/** When a draft that changes now is to be appended to the account's Drafts folder. */
export function draftAppendTime(now: Date): Date {
  return new Date(now.getTime() + APPEND_AFTER_MS)
}
