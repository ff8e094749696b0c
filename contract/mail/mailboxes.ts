import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { byId } from './email.ts'
import { instant } from '../platform/values.ts'

/** The state of an IMAP folder: when it was last read and what went wrong. */
export const folderStatus = z.object({
  path: z.string(),
  role: z.nullable(z.string()),
  last_read_at: z.nullable(instant),
  /** Mails known to be on the server but not fetched yet. */
  behind: z.number(),
  /** Mails that could not be read; they are tried again. */
  quarantined: z.number(),
  /** Why the newest of them could not be read. */
  quarantine_reason: z.nullable(z.string()),
  last_error: z.nullable(z.string()),
})

/** Something besides reading that could not be done with an account: a sentence, and when it is tried again. */
export const mailboxTrouble = z.object({ sentence: z.string(), next_try_at: instant })

/** What is wrong with an account, the most important first. */
const standing = {
  /** What keeps the account from sending or reading, in a sentence. */
  last_error: z.nullable(z.string()),
  /** How many other troubles it has besides that one. */
  more_troubles: z.number(),
  /** Until when Howl waits because the mail server asked for that, and nothing is wrong with the settings. */
  waits_until: z.nullable(instant),
}

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
  ...standing,
  folders: z.array(folderStatus),
  troubles: z.array(mailboxTrouble),
  /** For how many accounts the user's plan has room; null: any number. Practice does not count. */
  accounts_max: z.nullable(z.number()),
})
/** How an account stands besides its folders and what is tried again. */
export type EmailStanding = Pick<EmailSettings, keyof typeof standing>
export type EmailSettings = z.infer<typeof emailSettings>

/** One of the user's own connected accounts. */
export const accountSettings = z.object({
  id: z.number(),
  default: z.boolean(),
  ...servers,
  oauth,
  ...standing,
  folders: z.array(folderStatus),
  troubles: z.array(mailboxTrouble),
})
export type AccountSettings = z.infer<typeof accountSettings>

/** One of the user's accounts, even if it is disconnected: its mails are still there. */
export const mailAccount = z.object({
  id: z.number(),
  address: z.string(),
  practice: z.boolean(),
  /** The account in use: the default one, or the practice mailbox. */
  primary: z.boolean(),
  /** The one of the user's own accounts that sends where no other is named. It stays the default during practice. */
  default: z.boolean(),
  connected: z.boolean(),
  ...standing,
  /** False where no IMAP server is set: replies to this account stay unread. */
  reads_replies: z.boolean(),
  oauth,
})

export type MailAccount = z.infer<typeof mailAccount>

/** Calls that show the connected mail accounts. */
export const mailboxes = {
  get: endpoint({
    method: 'GET',
    path: '/email-settings/',
    summary: 'The default mail account, how it stands, and the follow-ups',
    reply: emailSettings,
  }),
  accounts: endpoint({
    method: 'GET',
    path: '/email-settings/accounts',
    summary: 'All mail accounts, the one in use first; one of them narrows a list of mails (`mailbox`)',
    reply: z.array(mailAccount),
  }),
  getAccount: endpoint({
    method: 'GET',
    path: '/email-settings/accounts/:id',
    summary: 'One connected mail account and how it stands',
    params: byId,
    reply: accountSettings,
  }),
}
