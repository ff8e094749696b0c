import { contacts } from '#contract/crm/contacts.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { liftSuppressions, suppressContacts } from './suppressions/suppress-contacts.ts'

/** The contacts' calls about mail: they are here because the contacts domain knows nothing of mails. */
export function suppressionRoutes(app: Server): void {
  serve(app, contacts.stopMailing, ({ context, user, body }) => suppressContacts(context, user, body))
  serve(app, contacts.liftMailing, ({ context, user, body }) => liftSuppressions(context, user, body))
}
