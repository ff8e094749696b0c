const KEY = 'outreach.dismissedRun'

/** True where the user has put the news of this run away. */
export const isDismissed = (batchId: number): boolean => localStorage.getItem(KEY) === String(batchId)

/** Puts the news of a run away, on this device. */
export const dismissRun = (batchId: number): void => localStorage.setItem(KEY, String(batchId))
