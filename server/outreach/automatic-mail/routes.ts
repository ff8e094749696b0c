import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { goOnSending, listAccounts, saveAccount } from './accounts.ts'
import { explainContact } from './explain-contact.ts'
import { readHours, saveHours } from './sending-hours.ts'
import { listUpcoming, type PlanSource } from './upcoming.ts'

/** `sources`: what other domains plan. */
export function automaticMailRoutes(app: Server, sources: readonly PlanSource[]): void {
  serve(app, automaticMail.hours, ({ context, user }) => readHours(context, user))
  serve(app, automaticMail.saveHours, ({ context, user, body }) => saveHours(context, user, body))
  serve(app, automaticMail.accounts, ({ context, user }) => listAccounts(context, user.id))
  serve(app, automaticMail.saveAccount, ({ context, user, params, body }) =>
    saveAccount(context, user.id, params.id, body.warm_up),
  )
  serve(app, automaticMail.goOn, ({ context, user, params }) => goOnSending(context, user.id, params.id))
  serve(app, automaticMail.ofContact, ({ context, user, params }) =>
    explainContact(context, user, params.id, sources),
  )
  serve(app, automaticMail.upcoming, ({ context, user }) => listUpcoming(context, user.id, sources))
}
