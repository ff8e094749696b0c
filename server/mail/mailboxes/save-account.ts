import type { Context } from '../../platform/context.ts'
import { invalidInput } from '../../platform/errors.ts'
import { wakeLoops } from '../../platform/jobs/loop.ts'
import {
  type AccountFields,
  type AccountFieldsInput,
  isAnotherAccount,
  keepsGrant,
  keepsPassword,
  mergedFields,
  missingFields,
  passwordFaults,
  typedPassword,
} from './account-fields.ts'
import { type PasswordUse, sealPassword } from './accounts.ts'
import { settleAccounts } from './accounts-of-user.ts'
import { takeGrant } from './grants-store.ts'
import { endPractice } from './leave-practice.ts'
import { notifyChange } from './notify-change.ts'
import { addressFaults, placeForAccount } from './place-for-account.ts'
import { changeMailbox, forgetFolders, type Mailbox, type MailboxChanges, READING } from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'

/**
 * Saves the servers of one of the user's own accounts: of `connected`, or of one that is thereby connected. Whoever
 * saves an account of their own has seen enough of practice, so practice ends. `makeDefault` makes it the default
 * account, `needsSmtp` refuses one that could not send. Call it under `lockMailboxes`, with `all` read since.
 *
 * @returns the account's id
 * @throws Refusal 400 with the fields that are missing or wrong; 409 when the plan has no room for another account, or
 *   while a practice run is in progress
 */
export async function saveAccount(
  context: Context,
  tx: Tx,
  userId: number,
  all: readonly Mailbox[],
  connected: Mailbox | undefined,
  input: AccountFieldsInput,
  options: { makeDefault?: boolean; needsSmtp?: boolean } = {},
): Promise<number> {
  const fields = mergedFields(connected, input)
  const faults = {
    ...missingFields(connected, fields, input, options.needsSmtp),
    ...passwordFaults(connected, fields, input),
    ...addressFaults(all, connected, fields),
  }
  const [first] = Object.values(faults)
  if (first !== undefined) throw invalidInput(`${first}.`, faults)
  const row = connected ?? (await placeForAccount(context, tx, userId, all, fields))
  const isChanged =
    connected === undefined ||
    Object.entries(fields).some(([name, value]) => connected[name as keyof AccountFields] !== value) ||
    typedPassword(input, 'smtp') !== null ||
    typedPassword(input, 'imap') !== null
  if (!keepsGrant(connected, fields, input)) await takeGrant(tx, userId, row.id)
  const changes = {
    ...passwordChanges(context, row, fields, input),
    ...(keepsGrant(connected, fields, input) ? {} : { oauth_provider: null }),
    ...(input.hourly_limit === undefined ? {} : { hourly_limit: input.hourly_limit }),
  }
  await putAccount(context, tx, all, { row, fields, changes, makeDefault: options.makeDefault === true })
  if (isChanged) {
    const what = connected === undefined ? 'connected' : 'changed'
    await notifyChange(context, tx, userId, { address: fields.address, what })
  }
  return row.id
}

/**
 * Puts servers and credentials (`changes`) into an account's row, connects it and starts afresh: earlier failures are
 * forgotten. Practice ends. Call it under `lockMailboxes`.
 *
 * @throws Refusal 409 while a practice run is in progress
 */
export async function putAccount(
  context: Context,
  tx: Tx,
  all: readonly Mailbox[],
  account: { row: Mailbox; fields: AccountFields; changes: MailboxChanges; makeDefault: boolean },
): Promise<void> {
  const { row, fields, changes, makeDefault } = account
  const userId = row.user_id
  await endPractice(context, tx, userId, all)
  if (isAnotherAccount(row, fields)) await forgetFolders(tx, userId, row.id)
  await changeMailbox(tx, userId, row.id, {
    ...fields,
    ...changes,
    ...freshStart(fields, context.clock.now()),
  })
  await settleAccounts(tx, userId, makeDefault ? row.id : undefined)
  if (fields.imap_host !== '') await wakeLoops(tx, READING)
}

function passwordChanges(
  context: Context,
  row: Mailbox,
  fields: AccountFields,
  input: AccountFieldsInput,
): MailboxChanges {
  const changeOf = (use: PasswordUse): string | null | undefined => {
    const typed = typedPassword(input, use)
    if (use === 'imap' && fields.imap_host === '') return null
    if (typed !== null) return sealPassword(context, row, use, typed)
    return keepsPassword(row, fields, use) ? undefined : null
  }
  const [smtp_password_box, imap_password_box] = [changeOf('smtp'), changeOf('imap')]
  return {
    ...(smtp_password_box === undefined ? {} : { smtp_password_box }),
    ...(imap_password_box === undefined ? {} : { imap_password_box }),
  }
}

/** Earlier failures are forgotten, and a worker using the old settings loses its claim on the account. */
function freshStart(fields: AccountFields, now: Date): MailboxChanges {
  return {
    disconnected_at: null,
    last_error: null,
    send_pause_until: null,
    read_error: null,
    read_error_kind: null,
    read_failures: 0,
    reader_id: null,
    next_read_at: fields.imap_host === '' ? null : now,
  }
}
