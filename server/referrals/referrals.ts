// What other domains may use of referrals.
export { startReferralLoops } from './credits.ts'
export { referralRoutes } from './routes.ts'
