import { contacts } from '#contract/contacts.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { liftSuppressions, suppressContacts } from './suppressions/suppress-contacts.ts'

/** The contacts' calls about mail: they are here because the contacts domain knows nothing of mails. */
export function suppressionRoutes(app: Server): void {
  serve(app, contacts.stopMailing, ({ context, user, body }) => suppressContacts(context, user, body))
  serve(app, contacts.liftMailing, ({ context, user, body }) => liftSuppressions(context, user, body))
}
