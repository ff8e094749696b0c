// What other domains may use of referrals.
export { referralRoutes } from './routes.ts'
