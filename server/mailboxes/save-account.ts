import type { Context } from '../context.ts'
import { invalidInput } from '../errors.ts'
import { wakeLoops } from '../jobs/loop.ts'
import {
  type AccountFields,
  type AccountFieldsInput,
  isAnotherAccount,
  keepsPassword,
  mergedFields,
  missingFields,
  passwordFaults,
  typedPassword,
} from './account-fields.ts'
import { type PasswordUse, sealPassword } from './accounts.ts'
import { settleAccounts } from './accounts-of-user.ts'
import { endPractice } from './leave-practice.ts'
import { notifyChange } from './notify-change.ts'
import { addressFaults, placeForAccount } from './place-for-account.ts'
import { changeMailbox, forgetFolders, type Mailbox, type MailboxChanges, READING } from './store.ts'
import type { Tx } from '../database/handles.ts'

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
  await endPractice(context, tx, userId, all)
  const isChanged =
    connected === undefined ||
    Object.entries(fields).some(([name, value]) => connected[name as keyof AccountFields] !== value) ||
    typedPassword(input, 'smtp') !== null ||
    typedPassword(input, 'imap') !== null
  if (isAnotherAccount(row, fields)) await forgetFolders(tx, userId, row.id)
  await changeMailbox(tx, userId, row.id, {
    ...fields,
    ...passwordChanges(context, row, fields, input),
    ...freshStart(fields, context.clock.now()),
    ...(input.hourly_limit === undefined ? {} : { hourly_limit: input.hourly_limit }),
  })
  await settleAccounts(tx, userId, options.makeDefault === true ? row.id : undefined)
  if (isChanged) {
    const what = connected === undefined ? 'connected' : 'changed'
    await notifyChange(context, tx, userId, { address: fields.address, what })
  }
  if (fields.imap_host !== '') await wakeLoops(tx, READING)
  return row.id
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
