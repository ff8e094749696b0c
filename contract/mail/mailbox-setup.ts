import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { byId } from './email.ts'
import { accountSettings, emailSettings, mailAccount } from './mailboxes.ts'
import { atMost, emailAddress, id, text } from '../platform/values.ts'

const host = z.string().check(
  z.trim(),
  atMost(253, 'Please keep this under 253 characters'),
  z.refine((name) => name === '' || /^[\p{L}\p{N}._:[\]-]+$/u.test(name), 'This is not a host name'),
)
const port = z.coerce
  .number('Please enter a port number')
  .check(z.int(), z.gte(1, 'Ports begin at 1'), z.lte(65_535, 'Ports end at 65535'))
const secret = z.string().check(atMost(1000))

/** Fields of the form for one account. Absent fields, including passwords, are kept. */
export const accountInput = z.object({
  smtp_host: z.optional(host),
  smtp_port: z.optional(z.nullable(port)),
  smtp_username: z.optional(text(320)),
  smtp_password: z.optional(secret),
  smtp_from: z.optional(z.union([z.literal(''), emailAddress])),
  smtp_use_tls: z.optional(z.boolean()),
  imap_host: z.optional(host),
  imap_port: z.optional(z.nullable(port)),
  imap_username: z.optional(text(320)),
  imap_password: z.optional(secret),
  imap_use_ssl: z.optional(z.boolean()),
  hourly_limit: z.optional(z.nullable(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000)))),
})
export type AccountInput = z.input<typeof accountInput>

/** The default account and the follow-ups, which belong to the user. */
export const emailSettingsInput = z.object({
  ...accountInput.shape,
  auto_followup_enabled: z.optional(z.boolean()),
  auto_followup_max_days: z.optional(
    z.coerce.number().check(z.int(), z.gte(1, 'From 1 to 60 days'), z.lte(60, 'From 1 to 60 days')),
  ),
  auto_followup_daily_hour: z.optional(
    z.coerce.number().check(z.int(), z.gte(0, 'From 0 to 23'), z.lte(23, 'From 0 to 23')),
  ),
})

const probe = z.object({ ok: z.boolean(), detail: z.string() })

/** Calls that connect, change, test and disconnect mail accounts. */
export const mailboxSetup = {
  addAccount: endpoint({
    method: 'POST',
    path: '/email-settings/accounts',
    summary: 'Connect another mail account, as far as the plan has room; the first one is the default',
    body: accountInput,
    reply: accountSettings,
  }),
  saveAccount: endpoint({
    method: 'PUT',
    path: '/email-settings/accounts/:id',
    summary: 'Save one mail account, or make it the default',
    params: byId,
    body: z.object({
      ...accountInput.shape,
      /** Makes this the default account. */
      primary: z.optional(z.literal(true)),
    }),
    reply: accountSettings,
  }),
  removeAccount: endpoint({
    method: 'DELETE',
    path: '/email-settings/accounts/:id',
    summary: 'Disconnect one mail account; its mails stay. Answers all accounts, with the default one of now',
    params: byId,
    reply: z.array(mailAccount),
  }),
  save: endpoint({
    method: 'PUT',
    path: '/email-settings/',
    summary: 'Save the default mail account and the follow-ups',
    body: emailSettingsInput,
    reply: emailSettings,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/email-settings/',
    summary:
      'Disconnect the mail account in use; its mails stay, but what happened in practice is cleared away',
    reply: emailSettings,
  }),
  test: endpoint({
    method: 'POST',
    path: '/email-settings/test',
    summary: 'Try to sign in to both servers; fields not given are taken from what is saved',
    body: z.object({
      ...emailSettingsInput.shape,
      /** Whose saved fields are taken: the default account's if absent, none for null (a new account). */
      account_id: z.optional(z.nullable(id)),
    }),
    reply: z.object({ smtp: probe, imap: probe }),
    limit: { max: 30, seconds: 300 },
  }),
  discover: endpoint({
    method: 'GET',
    path: '/email-settings/discover',
    summary: 'Propose hosts and ports for an address',
    query: z.object({ email: emailAddress }),
    reply: z.object({
      /** Source of the proposal: our table, the provider's autoconfig, DNS SRV, or none. */
      source: z.enum(['table', 'autoconfig', 'srv', 'none']),
      provider: z.nullable(z.string()),
      /** What the user must know, e.g. that the provider requires an app password. */
      hint: z.nullable(z.string()),
      smtp_host: z.nullable(z.string()),
      smtp_port: z.nullable(z.number()),
      smtp_use_tls: z.boolean(),
      imap_host: z.nullable(z.string()),
      imap_port: z.nullable(z.number()),
      imap_use_ssl: z.boolean(),
      username: z.nullable(z.string()),
      /** With whom this address is better connected: the name of a provider of `/email-settings/oauth/providers`. */
      oauth: z.nullable(z.string()),
    }),
    limit: { max: 60, seconds: 300 },
  }),
  practice: endpoint({
    method: 'POST',
    path: '/email-settings/practice',
    summary: 'Switch to the practice mailbox: mail really travels, but only inside Howl',
    reply: emailSettings,
  }),
}
