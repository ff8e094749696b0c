export { contactRoutes } from './routes.ts'
export { contactByAddress, contactsById, contactsToMail, type ContactToMail, countContacts } from './store.ts'
