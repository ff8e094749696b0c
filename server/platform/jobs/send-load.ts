/** This many emails queued or claimed at once mean a bulk run … */
const BULK_EMAILS = 100
/** … that keeps the process busy for about this long. */
const BULK_MS = 1000

/** How busy a process is with sending. */
export type SendLoad = {
  /** Records that this process has just queued or claimed `emails` emails. */
  add(emails: number): void
  /** True while this process sends hundreds of emails: work that is not urgent can wait. */
  isHigh(): boolean
}

/** The send load of a process that has not sent anything yet. */
export function makeSendLoad(): SendLoad {
  let lastBulkAt = 0
  return {
    add: (emails) => {
      if (emails >= BULK_EMAILS) lastBulkAt = Date.now()
    },
    isHigh: () => Date.now() - lastBulkAt < BULK_MS,
  }
}
