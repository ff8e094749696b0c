// What other parts may use of meetings.
export { meetingRoutes } from './routes.ts'
