// What other domains may use of bans.
export { banUser, type NewBan } from './ban-user.ts'
export { startBanLoops } from './end-bans.ts'
export { banRoutes } from './routes.ts'
export { unbanUser } from './unban-user.ts'
