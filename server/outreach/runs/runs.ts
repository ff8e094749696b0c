// What other domains may use of outreach.
export { startOutreachLoops } from './jobs.ts'
export { judgeRunMails } from './judge-run-mails.ts'
export { pauseRestoredRuns, pauseRuns } from './hold-batch.ts'
export { ALREADY_MAILED } from './list-contacts.ts'
export { plannedByRun } from './planned-by-run.ts'
export { outreachRoutes } from './routes.ts'
export { mailedItems, pendingItemsAfter, skipItems } from './store.ts'
export { AHEAD, type LongWork, MODEL_CHUNK, modelUse, TEMPLATE_CHUNK, writeMany } from './write-many.ts'
