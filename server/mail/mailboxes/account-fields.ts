import type * as z from 'zod/mini'
import type { accountInput, emailSettingsInput } from '#contract/mail/mailbox-setup.ts'
import { isEmailAddress } from '#contract/platform/values.ts'
import type { PasswordUse } from './accounts.ts'
import type { Mailbox } from './store.ts'

export type SettingsInput = z.output<typeof emailSettingsInput>
/** What can be given of one account. */
export type AccountFieldsInput = z.output<typeof accountInput>

export type Faults = Record<string, string>

const NO_ACCOUNT = {
  address: '',
  smtp_host: '',
  smtp_port: null,
  smtp_username: '',
  smtp_use_tls: true,
  imap_host: '',
  imap_port: null,
  imap_username: '',
  imap_use_ssl: true,
} satisfies Partial<Mailbox>

/** The fields that identify an account. */
export type AccountFields = Pick<Mailbox, keyof typeof NO_ACCOUNT>

const NO_IMAP = { imap_host: '', imap_port: null, imap_username: '', imap_use_ssl: true }

const SMTP_FIELDS = ['smtp_host', 'smtp_port', 'smtp_username', 'smtp_password', 'smtp_from'] as const
const IMAP_FIELDS = ['imap_host', 'imap_port', 'imap_username', 'imap_password', 'imap_use_ssl'] as const

const gives = (input: AccountFieldsInput, fields: readonly (keyof AccountFieldsInput)[]) =>
  fields.some((field) => input[field] !== undefined)

const givesSmtp = (input: AccountFieldsInput): boolean => gives(input, SMTP_FIELDS)

/** True when the input is about servers, not only about limits and follow-ups. */
export const givesAccount = (input: AccountFieldsInput): boolean =>
  givesSmtp(input) || gives(input, IMAP_FIELDS) || input.smtp_use_tls !== undefined

/** The saved account overlaid with the input's fields; without an IMAP host all IMAP fields are cleared. */
export function mergedFields(row: Mailbox | undefined, input: AccountFieldsInput): AccountFields {
  const saved: AccountFields = row ?? NO_ACCOUNT
  const smtp_username = input.smtp_username ?? saved.smtp_username
  const imap_host = input.imap_host ?? saved.imap_host
  const imap =
    imap_host === ''
      ? NO_IMAP
      : {
          imap_host,
          imap_port: input.imap_port === undefined ? saved.imap_port : input.imap_port,
          imap_username: (input.imap_username ?? saved.imap_username) || smtp_username,
          imap_use_ssl: input.imap_use_ssl ?? saved.imap_use_ssl,
        }
  return {
    address: input.smtp_from ?? (saved.address || (isEmailAddress(smtp_username) ? smtp_username : '')),
    smtp_host: input.smtp_host ?? saved.smtp_host,
    smtp_port: input.smtp_port === undefined ? saved.smtp_port : input.smtp_port,
    smtp_username,
    smtp_use_tls: input.smtp_use_tls ?? saved.smtp_use_tls,
    ...imap,
  }
}

/** The password as typed; null for an empty field, which keeps the saved one. */
export function typedPassword(input: AccountFieldsInput, use: PasswordUse): string | null {
  return (use === 'smtp' ? input.smtp_password : input.imap_password) || null
}

/** True while a saved password still belongs to the server and the user name it was typed for. */
export function keepsPassword(row: Mailbox | undefined, fields: AccountFields, use: PasswordUse): boolean {
  if (row === undefined || row.disconnected_at !== null) return false
  const box = use === 'smtp' ? row.smtp_password_box : row.imap_password_box
  return box !== null && serverOf(row, use) === serverOf(fields, use)
}

/**
 * True while an account goes on signing in by OAuth 2: it has both servers that it was connected with, and nobody has
 * typed a password. An access token goes to no other server, for the same reason as a password.
 */
export function keepsGrant(
  row: Mailbox | undefined,
  fields: AccountFields,
  input: AccountFieldsInput,
): boolean {
  if (row === undefined || row.oauth_provider === null || row.disconnected_at !== null) return false
  if (typedPassword(input, 'smtp') !== null || typedPassword(input, 'imap') !== null) return false
  return (['smtp', 'imap'] as const).every((use) => serverOf(row, use) === serverOf(fields, use))
}

function serverOf(fields: AccountFields, use: PasswordUse): string {
  const parts =
    use === 'smtp'
      ? [fields.smtp_host.toLowerCase(), fields.smtp_port, fields.smtp_username]
      : [fields.imap_host.toLowerCase(), fields.imap_port, fields.imap_username]
  return JSON.stringify(parts)
}

/**
 * A saved password never goes to another server than the one it was typed for: with somebody's open session it could
 * otherwise be sent to a server that records it.
 */
export function passwordFaults(
  row: Mailbox | undefined,
  fields: AccountFields,
  input: AccountFieldsInput,
): Faults {
  const faults: Faults = {}
  const leavesOauth = isByOauth(row) && !keepsGrant(row, fields, input)
  for (const use of ['smtp', 'imap'] as const) {
    if (leavesOauth && typedPassword(input, use) === null && (use === 'smtp' || fields.imap_host !== ''))
      faults[`${use}_password`] = `Please enter the ${use.toUpperCase()} password`
    const box = use === 'smtp' ? row?.smtp_password_box : row?.imap_password_box
    const needed = use === 'smtp' || fields.imap_host !== ''
    if (!needed || !box || row?.disconnected_at !== null || typedPassword(input, use) !== null) continue
    if (!keepsPassword(row, fields, use)) {
      faults[`${use}_password`] = 'Please enter the password again for the new server'
    }
  }
  return faults
}

function isByOauth(row: Mailbox | undefined): boolean {
  return row !== undefined && row.oauth_provider !== null && row.disconnected_at === null
}

/** Required fields that are still empty; `needsSmtp` where none of them was given. */
export function missingFields(
  row: Mailbox | undefined,
  fields: AccountFields,
  input: AccountFieldsInput,
  needsSmtp = false,
): Faults {
  const faults: Faults = {}
  const want = (there: boolean, field: string, why: string) => {
    if (!there) faults[field] = why
  }
  const hasPassword = (use: PasswordUse) =>
    typedPassword(input, use) !== null || keepsPassword(row, fields, use) || keepsGrant(row, fields, input)
  if (needsSmtp || givesSmtp(input)) {
    want(fields.smtp_host !== '', 'smtp_host', 'Please enter the SMTP host')
    want(fields.smtp_port !== null, 'smtp_port', 'Please enter the SMTP port')
    want(fields.smtp_username !== '', 'smtp_username', 'Please enter the SMTP username')
    want(hasPassword('smtp'), 'smtp_password', 'Please enter the SMTP password')
    want(fields.address !== '', 'smtp_from', 'Please enter the address your emails come from')
  }
  if (fields.imap_host !== '') {
    want(fields.imap_port !== null, 'imap_port', 'Please enter the IMAP port')
    want(fields.imap_username !== '', 'imap_username', 'Please enter the IMAP username')
    want(hasPassword('imap'), 'imap_password', 'Please enter the IMAP password')
  }
  return faults
}

/** True when the IMAP side now belongs to another account: what was read before does not apply to it. */
export function isAnotherAccount(row: Mailbox | undefined, fields: AccountFields): boolean {
  if (row === undefined || row.imap_host === '') return false
  return (
    row.imap_host.toLowerCase() !== fields.imap_host.toLowerCase() ||
    row.imap_username !== fields.imap_username
  )
}
