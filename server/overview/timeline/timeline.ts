// What other domains may use of timelines.
export { timelineRoutes } from './routes.ts'
