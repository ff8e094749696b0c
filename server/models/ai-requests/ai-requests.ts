// What other domains may use of AI requests.
export { aiUsageRoutes } from './routes.ts'
export { startAiRequestLoops } from './settle-uses.ts'
export {
  type AiRequest,
  endAiRequest,
  goOnWithAiRequest,
  noteUsage,
  takeAiRequest,
} from './take-ai-request.ts'
