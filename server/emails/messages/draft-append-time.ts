/** A draft is put into the account's Drafts folder so long after its first change, and again so long after the next. */
const FILE_AFTER_MS = 10_000

/** When the account's Drafts folder is to get a draft that changes now. */
export function draftAppendTime(now: Date): Date {
  return new Date(now.getTime() + FILE_AFTER_MS)
}
