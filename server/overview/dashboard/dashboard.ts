// What other domains may use of the dashboard.
export { readToday } from './read-today.ts'
export { dashboardRoutes } from './routes.ts'
