import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, emailAddress, id } from '../platform/values.ts'

/** The issuer's own texts: a code has some hundred characters, Microsoft's up to 2,000. */
const fromIssuer = (max: number) => z.string().check(atMost(max))

export const mailboxOauth = {
  providers: endpoint({
    method: 'GET',
    path: '/email-settings/oauth/providers',
    summary: 'Where a mailbox can be connected by signing in (OAuth 2) instead of by a password',
    reply: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  start: endpoint({
    method: 'POST',
    path: '/email-settings/oauth/start',
    summary: 'Begin to connect a mailbox: the browser goes to the address in the answer',
    body: z.object({
      /** One of `/email-settings/oauth/providers`. */
      provider: z.string().check(atMost(40)),
      /** The mailbox to connect again; absent: a new one. */
      mailbox_id: z.optional(id),
    }),
    reply: z.object({ url: z.string() }),
    limit: { max: 30, seconds: 300 },
  }),
  finish: endpoint({
    method: 'POST',
    path: '/email-settings/oauth/finish',
    summary: 'Connect the mailbox with what the provider sent the browser back with',
    body: z.object({
      state: fromIssuer(200),
      code: z.optional(fromIssuer(8000)),
      iss: z.optional(fromIssuer(1000)),
      error: z.optional(fromIssuer(200)),
      error_description: z.optional(fromIssuer(4000)),
    }),
    reply: z.object({ id: z.number(), address: emailAddress, provider: z.string() }),
    limit: { max: 30, seconds: 300 },
  }),
}
