import { findUser } from '../../accounts/auth/auth.ts'
import { SUPPRESSED } from '../automatic-mail/automatic-mail.ts'
import { type ContactToMail, contactsOfAudience, contactsToMail } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import {
  adoptKeptSuppressions,
  mailedAmong,
  mailedSince,
  repliedSince,
  suppressedAmong,
} from '../../mail/emails/emails.ts'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { isSendable } from '../../formats/mail-text/addresses.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { addItems, type BatchRow, countItems, keepRunning, lastListed, noteListed } from './store.ts'

/** Contacts handled in one transaction. */
const PAGE = 1000
/** A contact who had a mail within this time gets none of an audience run, whatever the user says. */
const LATELY_MS = 7 * 86_400_000

export const DELETED = 'The contact was deleted'
export const ADDRESS_CHANGED = 'The address changed before the email was sent'
export const ALREADY_MAILED = 'Already emailed before'
export const LEFT_OUT = 'Left out by you'
export const MAILED_LATELY = 'Emailed in the last 7 days'
export const NO_ADDRESS = 'No valid email address'
export const REPLIED = 'Has replied since the run began'

export type Person = { id: number; name: string; email: string; email_key: string }

/** What a run says about contacts that were mailed before. */
export type AboutMailed = Pick<BatchRow, 'audience' | 'write_again'>

/** A run over all contacts: those who were mailed get nothing more. */
export const ALL_CONTACTS: AboutMailed = { audience: null, write_again: false }

/**
 * The addresses among these that were mailed too early to be mailed by this run, each with the reason. Mails of `but` do not
 * count: they are those that are asked about.
 */
export async function mailedBefore(
  context: Context,
  db: Queryable,
  userId: number,
  keys: readonly string[],
  run: AboutMailed,
  but: readonly number[] = [],
): Promise<Map<string, string>> {
  const lately = new Date(context.clock.now().getTime() - LATELY_MS)
  const [mailed, recent] = await Promise.all([
    run.write_again ? [] : mailedAmong(db, userId, keys, but),
    run.audience === null ? [] : mailedSince(db, userId, keys, lately, but),
  ])
  return new Map([
    ...[...mailed].map((key): [string, string] => [key, ALREADY_MAILED]),
    ...[...recent].map((key): [string, string] => [key, MAILED_LATELY]),
  ])
}

/** Those of these addresses that a run under way writes to no more, each with the reason. */
export async function refusedMeanwhile(
  context: Context,
  db: Queryable,
  run: AboutMailed & Pick<BatchRow, 'user_id' | 'started_at'>,
  keys: readonly string[],
  but: readonly number[] = [],
): Promise<Map<string, string>> {
  const { user_id: userId } = run
  // A contact who was mailed before the run may answer while it waits.
  const replied = run.write_again ? await repliedSince(db, userId, keys, run.started_at) : []
  const mailed = await mailedBefore(context, db, userId, keys, run, but)
  return new Map([...[...replied].map((key): [string, string] => [key, REPLIED]), ...mailed])
}

/** Divides contacts into those to mail (null) and those to skip, with the reason. */
export async function reasonsToSkip(
  context: Context,
  userId: number,
  people: readonly Person[],
  run: AboutMailed,
): Promise<Map<number, string | null>> {
  const keys = people.map((person) => person.email_key)
  await adoptKeptSuppressions(context, context.db, userId, keys)
  const [suppressed, mailed] = await Promise.all([
    suppressedAmong(context.db, userId, keys),
    mailedBefore(context, context.db, userId, keys, run),
  ])
  return new Map(
    people.map((person): [number, string | null] => {
      const off = suppressed.get(person.email_key)
      if (!isSendable(person.email)) return [person.id, NO_ADDRESS]
      const before = mailed.get(person.email_key)
      // A run over all contacts says of each that was emailed before just that, whatever they replied.
      if (off === undefined || (off === 'declined' && before === ALREADY_MAILED))
        return [person.id, before ?? null]
      return [person.id, SUPPRESSED[off]]
    }),
  )
}

/** Writes a run's row for every contact, page by page, while it is running; continues where it was interrupted. */
export async function listContacts(context: Context, batch: BatchRow, signal: AbortSignal): Promise<void> {
  const { user_id: userId, id: batchId } = batch
  const page = await pagesOf(context, batch)
  for (;;) {
    signal.throwIfAborted()
    const after = await lastListed(context.db, userId, batchId)
    const people = await page(after)
    const reasons = await reasonsToSkip(context, userId, people, batch)
    const goesOn = await inTransaction(context.db, async (tx) => {
      if (!(await keepRunning(tx, userId, batchId))) return false
      const items = people.map((person) => {
        const reason = reasons.get(person.id) ?? null
        const state = reason === null ? ('pending' as const) : ('skipped' as const)
        return {
          user_id: userId,
          batch_id: batchId,
          contact_id: person.id,
          name: person.name,
          address: person.email,
          state,
          reason,
        }
      })
      await addItems(tx, items)
      if (people.length === PAGE) return true
      const counts = await countItems(tx, userId, batchId)
      await noteListed(tx, userId, batchId, counts.pending + counts.written + counts.skipped + counts.error)
      return false
    })
    if (!goesOn) return
  }
}

/** The next page of the run's contacts, in the order of their ids. */
async function pagesOf(
  context: Context,
  { user_id: userId, audience }: BatchRow,
): Promise<(after: number) => Promise<ContactToMail[]>> {
  if (audience === null) return (after) => contactsToMail(context.db, userId, after, PAGE)
  // The days of a filter are those of the user.
  const user = await findUser(context.db, userId)
  const reader = { id: userId, timeZone: user?.time_zone ?? FALLBACK_ZONE }
  return (after) => contactsOfAudience(context, reader, audience, after, PAGE)
}
