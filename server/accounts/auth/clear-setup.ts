import { noteActivity } from '../activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import type { Origin } from '../../platform/http/origin.ts'
import type { Paragraph } from '../system-mail/system-mail.ts'
import { forgetPlaces } from './guess-limit.ts'
import type { UserRow } from './store.ts'
import { forgetTwoStep } from './two-step-store.ts'

/**
 * What was cleared, in sentences for the owner; none for nothing. `afterwards` is called once the transaction is committed.
 */
export type Cleared = { told: string[]; afterwards?: () => void }

/**
 * Clears what could act against the owner of an address in an account that somebody else may have opened with it. Content
 * stays: the owner may have opened the account after all. The list of all of them is in `server/app.ts`.
 */
export type ClearSetup = (context: Context, tx: Tx, userId: number) => Promise<Cleared>

/** Clears an account whose address is proved for the first time, and by somebody who is not signed in to it. */
export async function clearSetups(
  context: Context,
  tx: Tx,
  user: UserRow,
  setups: readonly ClearSetup[],
  origin: Origin,
): Promise<{ told: string[]; afterwards: () => void }> {
  const all: Cleared[] = [await clearOwnPart(context, tx, user, origin)]
  // One after the other: they share a connection, and lock in this order.
  for (const clear of setups) all.push(await clear(context, tx, user.id))
  return {
    told: all.flatMap(({ told }) => told),
    afterwards: () => all.forEach((each) => each.afterwards?.()),
  }
}

async function clearOwnPart(context: Context, tx: Tx, user: UserRow, origin: Origin): Promise<Cleared> {
  await forgetPlaces(context, tx, user)
  if (!(await forgetTwoStep(tx, user.id))) return { told: [] }
  const detail = 'by the first new password of an account that nobody had confirmed while signed in'
  await noteActivity(context, tx, { type: 'two_step_off', user: user.id, origin, detail })
  return { told: ['Two-step sign-in is off.'] }
}

/** What the mail about the new password says of it. */
export function wordsOfCleared(told: readonly string[]): Paragraph[] {
  if (told.length === 0) return []
  return [
    'Nobody had confirmed this address while signed in, so somebody else may have set up the account. To be safe, Howl changed this:',
    told.map((each) => `• ${each}`).join('\n'),
    'Contacts, emails, templates and invoices are still there. Before you use them, check your signature, your links and the bank account on your invoices.',
    'If you set up the account yourself, reconnect what you need.',
  ]
}
