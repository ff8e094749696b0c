const KEY = 'outreach.dismissedRun'

/** True if the user has dismissed the result of this run. */
export const isDismissed = (batchId: number): boolean => localStorage.getItem(KEY) === String(batchId)

/** Dismisses the result of a run on this device. */
export const dismissRun = (batchId: number): void => localStorage.setItem(KEY, String(batchId))
