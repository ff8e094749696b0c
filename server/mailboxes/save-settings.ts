import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidInput } from '../errors.ts'
import { wakeLoops } from '../jobs/loop.ts'
import {
  type AccountFields,
  type Faults,
  givesAccount,
  isAnotherAccount,
  keepsPassword,
  mergedFields,
  missingFields,
  passwordFaults,
  type SettingsInput,
  typedPassword,
} from './account-fields.ts'
import { type PasswordUse, sealPassword } from './accounts.ts'
import { changeFollowUps, type FollowUpChanges, stopFollowUps } from './follow-ups-store.ts'
import { refuseInRun } from './leave-practice.ts'
import { notifyChange } from './notify-change.ts'
import { ownAccount, primaryOf } from './own-account.ts'
import {
  addMailbox,
  changeMailbox,
  forgetFolders,
  leavePractice,
  lockMailboxes,
  type Mailbox,
  type MailboxChanges,
  mailboxesOf,
  makePrimary,
  READING,
} from './store.ts'
import type { Tx } from '../database/handles.ts'

/**
 * Saves the given fields. Servers are those of the user's own account, which becomes the one to send with, so
 * practice ends. Follow-ups belong to the user; only whether they are on is kept apart for practice.
 *
 * @throws Refusal 400 with the fields that are missing or wrong; 409 while a practice run is in progress
 */
export async function saveSettings(context: Context, userId: number, input: SettingsInput): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockMailboxes(tx, userId)
    const all = await mailboxesOf(tx, userId)
    const saved = givesAccount(input) ? await saveAccount(context, tx, userId, all, input) : undefined
    if (input.hourly_limit !== undefined) {
      const own = saved ?? ownAccount(all) ?? primaryOf(all) ?? (await addEmpty(context, tx, userId))
      await changeMailbox(tx, userId, own.id, { hourly_limit: input.hourly_limit })
    }
    const inPractice = saved === undefined && primaryOf(all)?.is_practice === true
    await changeFollowUps(tx, userId, followUpChanges(input, inPractice))
    await context.live.publish(tx, userId, { topic: 'mailboxes' })
  })
}

async function saveAccount(
  context: Context,
  tx: Tx,
  userId: number,
  all: readonly Mailbox[],
  input: SettingsInput,
): Promise<Mailbox> {
  const connected = ownAccount(all)
  const fields = mergedFields(connected, input)
  refuse({ ...missingFields(connected, fields, input), ...passwordFaults(connected, fields, input) })

  if (primaryOf(all)?.is_practice === true) {
    await refuseInRun(tx, userId, all, 'practice')
    await leavePractice(tx, userId, context.clock.now())
    await stopFollowUps(tx, userId, 'practice')
  }
  const isConnected = connected !== undefined
  const isChanged =
    !isConnected ||
    Object.entries(fields).some(([name, value]) => connected[name as keyof AccountFields] !== value) ||
    typedPassword(input, 'smtp') !== null ||
    typedPassword(input, 'imap') !== null
  const row = connected ?? formerAccount(all, fields) ?? (await addEmpty(context, tx, userId, false))
  if (isAnotherAccount(row, fields)) await forgetFolders(tx, userId, row.id)
  await changeMailbox(tx, userId, row.id, {
    ...fields,
    ...passwordChanges(context, row, fields, input),
    ...freshStart(fields, context.clock.now()),
  })
  await makePrimary(tx, userId, row.id)
  if (isChanged) {
    const what = isConnected ? 'changed' : 'connected'
    await notifyChange(context, tx, userId, { address: fields.address, what })
  }
  if (fields.imap_host !== '') await wakeLoops(tx, READING)
  return row
}

function refuse(faults: Faults): void {
  const [first] = Object.values(faults)
  if (first !== undefined) throw invalidInput(`${first}.`, faults)
}

/** An account connected a second time continues where it was: its mails and its position in each folder are kept. */
function formerAccount(all: readonly Mailbox[], fields: AccountFields): Mailbox | undefined {
  return all.find(
    (row) =>
      !row.is_practice &&
      row.disconnected_at !== null &&
      row.address.toLowerCase() === fields.address.toLowerCase() &&
      !isAnotherAccount(row, fields),
  )
}

async function addEmpty(context: Context, tx: Tx, userId: number, is_primary = true): Promise<Mailbox> {
  return addMailbox(tx, userId, { is_primary, address: '', created_at: context.clock.now() })
}

function passwordChanges(
  context: Context,
  row: Mailbox,
  fields: AccountFields,
  input: SettingsInput,
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

function followUpChanges(input: SettingsInput, inPractice: boolean): FollowUpChanges {
  const { auto_followup_enabled: enabled, auto_followup_max_days, auto_followup_daily_hour } = input
  return {
    ...(enabled === undefined ? {} : inPractice ? { enabled_in_practice: enabled } : { enabled }),
    ...(auto_followup_max_days === undefined ? {} : { max_days: auto_followup_max_days }),
    ...(auto_followup_daily_hour === undefined ? {} : { daily_hour: auto_followup_daily_hour }),
  }
}
