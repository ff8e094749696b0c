// What other domains, and commands of the operator, may use of backups.
export { sendHeld } from './held-mail.ts'
export { finishRestore, restoreBackup } from './restore-backup.ts'
export { heldUsersAfter } from './restores-store.ts'
export { backupRoutes } from './routes.ts'
export { rowsIn, takeBackup } from './take-backup.ts'
