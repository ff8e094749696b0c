// What other domains may use of notifications.
export { startNotificationLoops } from './loops.ts'
export { type NewNotification, notifyAdministrators, type NotifyContext } from './notify-administrators.ts'
export { notificationRoutes } from './routes.ts'
