import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { text } from '../platform/values.ts'

export const emailConfirmation = {
  confirm: endpoint({
    method: 'POST',
    path: '/auth/confirm-email',
    access: 'public',
    summary: 'Confirm an address with the token of a mailed link; answers the address',
    body: z.object({
      token: text(200),
      /** Only if the caller is signed in to the account that the link is of. */
      only_own: z.optional(z.boolean()),
    }),
    reply: z.object({ email: z.string() }),
    limit: { max: 100, seconds: 3600 },
  }),
  request: endpoint({
    method: 'POST',
    path: '/auth/request-confirmation',
    summary: 'Mail a new link that confirms the user’s address; only the newest one is good',
    reply: z.object({
      /** True if there is nothing to confirm any more. */
      confirmed: z.boolean(),
      link_sent: z.boolean(),
      /** True if no mail server is set up for mails from Howl: then they are printed where Howl runs. */
      printed: z.boolean(),
    }),
  }),
}
