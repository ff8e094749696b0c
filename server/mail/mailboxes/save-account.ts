import type { Context } from '../../platform/context.ts'
import { invalidInput } from '../../platform/errors.ts'
import {
  type AccountFields,
  type AccountFieldsInput,
  givesAccount,
  isAnotherAccount,
  keepsGrant,
  keepsPassword,
  mergedFields,
  missingFields,
  passwordFaults,
  type SettingsInput,
  typedPassword,
} from './account-fields.ts'
import { type PasswordUse, sealPassword } from './accounts.ts'
import { updateAccounts, defaultAccount, ownAccount, primaryOf, settleAccounts } from './accounts-of-user.ts'
import { changeFollowUps, type FollowUpChanges } from './follow-ups-store.ts'
import { takeGrant } from './grants-store.ts'
import { notifyChange } from './notify-change.ts'
import { addEmptyAccount, addressFaults, placeForAccount } from './place-for-account.ts'
import { endPractice } from './practice-mailbox.ts'
import { changeMailbox, forgetFolders, type Mailbox, type MailboxChanges } from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'

/**
 * Connects another account of the user's own; the first one becomes the default. Practice ends.
 *
 * @returns the account's id
 * @throws Refusal 400 with the fields that are missing or wrong, also for an address that is connected already; 409 when
 *   the user's plan has no room for another account, or while a practice run is in progress
 */
export async function addAccount(
  context: Context,
  userId: number,
  input: AccountFieldsInput,
): Promise<number> {
  return updateAccounts(context, userId, (tx, all) =>
    saveAccount(context, tx, userId, all, undefined, input, { needsSmtp: true }),
  )
}

/**
 * Saves the given fields of one connected account; with `primary` it becomes the default. Saving servers ends practice;
 * another default or limit does not.
 *
 * @throws Refusal 404; 400 with the fields that are missing or wrong; 409 while a practice run is in progress
 */
export async function changeAccount(
  context: Context,
  userId: number,
  id: number,
  input: AccountFieldsInput & { primary?: true | undefined },
): Promise<void> {
  await updateAccounts(context, userId, async (tx, all) => {
    const row = ownAccount(all, id)
    const makeDefault = input.primary === true
    if (givesAccount(input)) return saveAccount(context, tx, userId, all, row, input, { makeDefault })
    if (input.hourly_limit !== undefined)
      await changeMailbox(tx, userId, id, { hourly_limit: input.hourly_limit })
    return makeDefault ? settleAccounts(tx, userId, id) : undefined
  })
}

/**
 * Saves the given fields. Servers are those of the default account; saving them ends practice. Follow-ups belong to the
 * user; only whether they are on is kept apart for practice.
 *
 * @throws Refusal 400 with the fields that are missing or wrong; 409 while a practice run is in progress
 */
export async function saveSettings(context: Context, userId: number, input: SettingsInput): Promise<void> {
  await updateAccounts(context, userId, async (tx, all) => {
    const own = defaultAccount(all)
    if (givesAccount(input)) await saveAccount(context, tx, userId, all, own, input)
    else if (input.hourly_limit !== undefined) {
      const limited = own ?? primaryOf(all) ?? (await addEmptyAccount(context, tx, userId))
      await changeMailbox(tx, userId, limited.id, { hourly_limit: input.hourly_limit })
      await settleAccounts(tx, userId)
    }
    const inPractice = !givesAccount(input) && primaryOf(all)?.is_practice === true
    await changeFollowUps(tx, userId, followUpChanges(input, inPractice))
  })
}

function followUpChanges(input: SettingsInput, inPractice: boolean): FollowUpChanges {
  const { auto_followup_enabled: enabled, auto_followup_max_days, auto_followup_daily_hour } = input
  return {
    ...(enabled === undefined ? {} : inPractice ? { enabled_in_practice: enabled } : { enabled }),
    ...(auto_followup_max_days === undefined ? {} : { max_days: auto_followup_max_days }),
    ...(auto_followup_daily_hour === undefined ? {} : { daily_hour: auto_followup_daily_hour }),
  }
}

/**
 * Saves the servers of one of the user's own accounts: of `connected`, or of one that is thereby connected. Whoever
 * saves an account of their own has seen enough of practice, so practice ends. `makeDefault` makes it the default
 * account, `needsSmtp` refuses one that could not send. Call it under `lockMailboxes`, with `all` read since.
 *
 * @returns the account's id
 * @throws Refusal 400 with the fields that are missing or wrong; 409 when the plan has no room for another account, or
 *   while a practice run is in progress
 */
async function saveAccount(
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
