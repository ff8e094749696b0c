// What other domains may use of briefs.
export { PHRASES } from './phrases.ts'
export { briefRoutes } from './routes.ts'
export { type BriefRow, findBrief, newestBrief } from './store.ts'
export type { BriefFields } from '#contract/outreach/briefs.ts'
export { USUAL_VOICE, type Voice, voiceOf } from './voice.ts'
