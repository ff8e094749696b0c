// What other domains may use of briefs.
export { PHRASES } from './phrases.ts'
export { briefRoutes } from './routes.ts'
export { type BriefRow, findBrief, newestBrief } from './store.ts'
export type { BriefFields } from '#contract/outreach/briefs.ts'
export {
  closingOf,
  findWriter,
  type Sender,
  USUAL_VOICE,
  type Voice,
  voiceOf,
  withOptOut,
  type Writer,
  writerOf,
} from './voice.ts'
