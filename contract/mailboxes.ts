import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { emailAddress, id, instant, text } from './values.ts'

const host = z.string().check(
  z.trim(),
  z.maxLength(253, 'Please keep this under 253 characters'),
  z.refine((name) => name === '' || /^[\p{L}\p{N}._:[\]-]+$/u.test(name), 'This is not a host name'),
)
const port = z.coerce
  .number('Please enter a port number')
  .check(z.int(), z.gte(1, 'Ports begin at 1'), z.lte(65_535, 'Ports end at 65535'))
const secret = z.string().check(z.maxLength(1000))

/** The state of an IMAP folder: when it was last read and what went wrong. */
export const folderStatus = z.object({
  path: z.string(),
  role: z.nullable(z.string()),
  last_read_at: z.nullable(instant),
  /** Mails known to be on the server but not fetched yet. */
  behind: z.number(),
  /** Mails that could not be read. */
  quarantined: z.number(),
  last_error: z.nullable(z.string()),
})

/** Both servers of an account as the user entered them; passwords are never returned. */
const servers = {
  smtp_host: z.string(),
  smtp_port: z.nullable(z.number()),
  smtp_username: z.string(),
  smtp_password_set: z.boolean(),
  smtp_from: z.string(),
  smtp_use_tls: z.boolean(),
  imap_host: z.string(),
  imap_port: z.nullable(z.number()),
  imap_username: z.string(),
  imap_password_set: z.boolean(),
  imap_use_ssl: z.boolean(),
  /** Maximum number of mails per hour through this account; null: no limit of ours. */
  hourly_limit: z.nullable(z.number()),
}

/** How an account signs in where that is not by a password: with whom, and whether the user has to consent again. */
const oauth = z.nullable(z.object({ provider: z.string(), name: z.string(), withdrawn: z.boolean() }))

/** The default account, what holds for all accounts, and how the account in use stands. */
export const emailSettings = z.object({
  configured: z.boolean(),
  practice: z.boolean(),
  ...servers,
  oauth,
  auto_followup_enabled: z.boolean(),
  auto_followup_max_days: z.number(),
  auto_followup_daily_hour: z.number(),
  last_auto_followup_run: z.nullable(instant),
  last_auto_followup_sent_count: z.number(),
  last_error: z.nullable(z.string()),
  folders: z.array(folderStatus),
  /** For how many accounts the user's plan has room; null: any number. Practice does not count. */
  accounts_max: z.nullable(z.number()),
})
export type EmailSettings = z.infer<typeof emailSettings>

/** One of the user's own connected accounts. */
export const accountSettings = z.object({
  id: z.number(),
  default: z.boolean(),
  ...servers,
  oauth,
  last_error: z.nullable(z.string()),
  folders: z.array(folderStatus),
})
export type AccountSettings = z.infer<typeof accountSettings>

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
export type EmailSettingsInput = z.input<typeof emailSettingsInput>

/** One of the user's accounts, even if it is disconnected: its mails are still there. */
const account = z.object({
  id: z.number(),
  address: z.string(),
  practice: z.boolean(),
  /** The account in use: the default one, or the practice mailbox. */
  primary: z.boolean(),
  /** The one of the user's own accounts that sends where no other is named. It stays the default during practice. */
  default: z.boolean(),
  connected: z.boolean(),
  /** What keeps the account from sending or reading, in a sentence. */
  last_error: z.nullable(z.string()),
  /** False where no IMAP server is set: replies to this account stay unread. */
  reads_replies: z.boolean(),
  oauth,
})

export type MailAccount = z.infer<typeof account>

const byId = z.object({ id })

const probe = z.object({ ok: z.boolean(), detail: z.string() })

export const mailboxes = {
  get: endpoint({
    method: 'GET',
    path: '/email-settings/',
    access: 'user',
    summary: 'The default mail account, how it stands, and the follow-ups',
    reply: emailSettings,
  }),
  accounts: endpoint({
    method: 'GET',
    path: '/email-settings/accounts',
    access: 'user',
    summary: 'All mail accounts, the one in use first; one of them narrows a list of mails (`mailbox`)',
    reply: z.array(account),
  }),
  addAccount: endpoint({
    method: 'POST',
    path: '/email-settings/accounts',
    access: 'user',
    summary: 'Connect another mail account, as far as the plan has room; the first one is the default',
    body: accountInput,
    reply: accountSettings,
    errors: ['INVALID_INPUT', 'CONFLICT'],
  }),
  getAccount: endpoint({
    method: 'GET',
    path: '/email-settings/accounts/:id',
    access: 'user',
    summary: 'One connected mail account and how it stands',
    params: byId,
    reply: accountSettings,
    errors: ['NOT_FOUND'],
  }),
  saveAccount: endpoint({
    method: 'PUT',
    path: '/email-settings/accounts/:id',
    access: 'user',
    summary: 'Save one mail account, or make it the default',
    params: byId,
    body: z.object({
      ...accountInput.shape,
      /** Makes this the default account. */
      primary: z.optional(z.literal(true)),
    }),
    reply: accountSettings,
    errors: ['INVALID_INPUT', 'NOT_FOUND', 'CONFLICT'],
  }),
  removeAccount: endpoint({
    method: 'DELETE',
    path: '/email-settings/accounts/:id',
    access: 'user',
    summary: 'Disconnect one mail account; its mails stay. Answers all accounts, with the default one of now',
    params: byId,
    reply: z.array(account),
    errors: ['NOT_FOUND'],
  }),
  save: endpoint({
    method: 'PUT',
    path: '/email-settings/',
    access: 'user',
    summary: 'Save the default mail account and the follow-ups',
    body: emailSettingsInput,
    reply: emailSettings,
    errors: ['INVALID_INPUT', 'CONFLICT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/email-settings/',
    access: 'user',
    summary:
      'Disconnect the mail account in use; its mails stay, but what happened in practice is cleared away',
    reply: emailSettings,
    errors: ['CONFLICT'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/email-settings/test',
    access: 'user',
    summary: 'Try to sign in to both servers; fields not given are taken from what is saved',
    body: z.object({
      ...emailSettingsInput.shape,
      /** Whose saved fields are taken: the default account's if absent, none for null (a new account). */
      account_id: z.optional(z.nullable(id)),
    }),
    reply: z.object({ smtp: probe, imap: probe }),
    errors: ['INVALID_INPUT', 'NOT_FOUND', 'TOO_MANY_REQUESTS'],
    limit: { max: 30, seconds: 300 },
  }),
  discover: endpoint({
    method: 'GET',
    path: '/email-settings/discover',
    access: 'user',
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
    errors: ['INVALID_INPUT', 'TOO_MANY_REQUESTS'],
    limit: { max: 60, seconds: 300 },
  }),
  practice: endpoint({
    method: 'POST',
    path: '/email-settings/practice',
    access: 'user',
    summary: 'Switch to the practice mailbox: mail really travels, but only inside Howl',
    reply: emailSettings,
    errors: ['CONFLICT'],
  }),
}
