// What other domains may use of briefs.
export { briefRoutes } from './routes.ts'
export { type BriefRow, findBrief, newestBrief } from './store.ts'
export type { BriefFields } from '#contract/briefs.ts'
