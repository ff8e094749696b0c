// What other domains may use of the assistant.
export { assistantRoutes } from './routes.ts'
