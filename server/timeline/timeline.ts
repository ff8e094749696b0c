// What other parts may use of timelines.
export { timelineRoutes } from './routes.ts'
