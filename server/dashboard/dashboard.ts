// What other domains may use of the dashboard.
export { dashboardRoutes } from './routes.ts'
