// What other domains may use of profile.
export { profileRoutes } from './routes.ts'
