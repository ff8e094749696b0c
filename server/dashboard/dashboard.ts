// What other parts may use of the dashboard.
export { dashboardRoutes } from './routes.ts'
