export { contactRoutes } from './routes.ts'
export { contactsById, contactsToMail, type ContactToMail, countContacts } from './store.ts'
