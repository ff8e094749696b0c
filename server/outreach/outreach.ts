// What other domains may use of outreach.
export { outreachJobs, startOutreachLoops } from './jobs.ts'
export { pauseRestoredRuns } from './hold-batch.ts'
export { ALREADY_MAILED } from './list-contacts.ts'
export { withOptOut } from './opt-out.ts'
export { planOfRun } from './plan-of-contact.ts'
export { outreachRoutes } from './routes.ts'
export { mailedItems, pendingItemsAfter, skipItems } from './store.ts'
export { writerOf } from './write-mail.ts'
