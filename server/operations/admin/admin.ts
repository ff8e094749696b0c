// What other domains may use of admin.
export { adminRoutes } from './routes.ts'
