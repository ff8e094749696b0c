import type { Context } from '../../platform/context.ts'
import type { Loop } from '../../platform/jobs/loop.ts'
import { startForgettingActs } from './undo-bulk-action.ts'
import { startIndexingContacts } from './index-contacts.ts'

// What other domains may use of contacts.
export { startNoSequences } from './bulk-actions-store.ts'
export { pageOfContacts } from './list-contacts.ts'
export { contactsOfAudience, countAudience, keepAudience } from './read-audience.ts'
export { addContact, getContact, updateContact } from './save-contact.ts'
export { selectAddresses, selectContacts } from './select-contacts.ts'
export { giveTag, takeTag } from './tag-contacts.ts'
export { tagKey } from './tags-store.ts'
export { tagRoutes } from './routes.ts'
export { contactRoutes } from './routes.ts'
export {
  contactByAddress,
  contactNames,
  contactsById,
  contactsToMail,
  type ContactRow,
  type ContactToMail,
  countContacts,
  countMailed,
  contactsThatAreSilent,
} from './store.ts'

/** The background loops of contacts. */
export function startContactLoops(context: Context): Loop[] {
  return [startIndexingContacts(context), startForgettingActs(context)]
}
