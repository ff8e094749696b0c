// What other parts may use of profile.
export { profileRoutes } from './routes.ts'
