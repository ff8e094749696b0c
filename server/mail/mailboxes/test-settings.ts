import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import type { Context } from '../../platform/context.ts'
import { testImap } from '../../platform/gateways/imap.ts'
import { testSmtp } from '../../platform/gateways/smtp.ts'
import { invalidInput } from '../../platform/errors.ts'
import {
  type AccountFields,
  givesAccount,
  mergedFields,
  passwordFaults,
  type SettingsInput,
  typedPassword,
} from './account-fields.ts'
import {
  type Credentials,
  credentialsOf,
  dialGuardOf,
  imapSecurity,
  type PasswordUse,
  smtpAccountOf,
  smtpSecurity,
} from './accounts.ts'
import { defaultAccount, ownAccount, primaryOf } from './accounts-of-user.ts'
import { type Mailbox, mailboxesOf } from './store.ts'

/** The user is waiting at the page; a slower server is not fit to send with. */
const TEST_DEADLINES = { connect: 8000, greeting: 8000, command: 12_000 }
const IMAP_TEST_DEADLINES = { connect: 8000, greeting: 8000, login: 12_000, command: 12_000 }

type Probes = ReplyOf<typeof mailboxSetup.test>

/**
 * Signs in to both servers at once and reports the result, in sentences for the user. Missing fields come from the
 * account `accountId`, from the default one where it is undefined, from none where it is null. Without any field the
 * account in use is tried.
 *
 * @throws Refusal 400 when a saved password would go to another server than it was typed for; 404
 */
export async function testSettings(
  context: Context,
  userId: number,
  input: SettingsInput,
  accountId?: number | null,
): Promise<Probes> {
  const all = await mailboxesOf(context.db, userId)
  const primary = primaryOf(all)
  if (accountId === undefined && primary?.is_practice === true && !givesAccount(input))
    return testPractice(context, primary)

  const own = accountOf(all, accountId)
  const fields = mergedFields(own, input)
  const faults = passwordFaults(own, fields, input)
  const [fault] = Object.values(faults)
  if (fault !== undefined) throw invalidInput(`${fault}.`, faults)
  const credentialsFor = (use: PasswordUse): Credentials => {
    const typed = typedPassword(input, use)
    if (typed !== null || own === undefined) return { password: typed ?? '' }
    return credentialsOf(context, own, use)
  }
  const [smtp, imap] = await Promise.all([
    probeSmtp(context, fields, () => credentialsFor('smtp')),
    probeImap(context, fields, () => credentialsFor('imap')),
  ])
  return { smtp, imap }
}

function accountOf(all: readonly Mailbox[], accountId: number | null | undefined): Mailbox | undefined {
  if (accountId === undefined) return defaultAccount(all)
  return accountId === null ? undefined : ownAccount(all, accountId)
}

async function probeSmtp(
  context: Context,
  fields: AccountFields,
  credentials: () => Credentials,
): Promise<Probes['smtp']> {
  const { smtp_host: host, smtp_port: port, smtp_username: username } = fields
  if (host === '' || port === null) return { ok: false, detail: 'Enter the SMTP host and port first.' }
  const security = smtpSecurity(fields.smtp_use_tls, port)
  const account = { host, port, security, username, ...credentials() }
  return testSmtp(account, { guard: context.guard, deadlines: TEST_DEADLINES })
}

async function probeImap(
  context: Context,
  fields: AccountFields,
  credentials: () => Credentials,
): Promise<Probes['imap']> {
  const { imap_host: host, imap_port: port, imap_username: username } = fields
  if (host === '')
    return { ok: false, detail: 'No IMAP server is set: emails can be sent, replies are not read.' }
  if (port === null) return { ok: false, detail: 'Enter the IMAP port first.' }
  const security = imapSecurity(fields.imap_use_ssl, port)
  const account = { host, port, security, username, ...credentials() }
  return testImap(account, { guard: context.guard, deadlines: IMAP_TEST_DEADLINES })
}

async function testPractice(context: Context, practice: Mailbox): Promise<Probes> {
  const account = smtpAccountOf(context, practice)
  const smtp = await testSmtp(account, { guard: dialGuardOf(context, practice), deadlines: TEST_DEADLINES })
  return { smtp, imap: { ok: true, detail: 'Answers of the practice mailbox arrive by themselves.' } }
}
