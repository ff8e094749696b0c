// What other domains may use of the dashboard.
export { lastDays } from './last-days.ts'
export { readToday } from './read-today.ts'
export { dashboardRoutes } from './routes.ts'
