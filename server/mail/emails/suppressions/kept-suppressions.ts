import type { Context } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import {
  accountWithKept,
  addKept,
  keptAmong,
  removeKept,
  suppress,
  suppressionsAfter,
} from './suppressions-store.ts'

const PURPOSE = 'kept suppressions'
/** Suppressions signed in one transaction. */
const AT_ONCE = 1000

/**
 * A keyed signature of a suppressed address together with the account's. Nobody can read an address from it, and it says
 * nothing to accounts with another address.
 */
function signatureOf(context: Pick<Context, 'secrets'>, account: string, addressKey: string): string {
  return context.secrets.sign(`${account}\n${addressKey}`, PURPOSE)
}

/**
 * Keeps the suppressions of an account that is about to be removed, as signatures. It may be interrupted anywhere and
 * called again.
 *
 * @param account the account's address in lower case
 */
export async function keepSuppressions(context: Context, userId: number, account: string): Promise<void> {
  for (let after = ''; !context.stopping.aborted;) {
    const rows = await suppressionsAfter(context.db, userId, after, AT_ONCE)
    await addKept(
      context.db,
      rows.map(({ address_key: key, reason }) => ({ signature: signatureOf(context, account, key), reason })),
    )
    const last = rows.at(-1)
    if (last === undefined || rows.length < AT_ONCE) return
    after = last.address_key
  }
}

/**
 * Suppresses those of these addresses (lower case) that were suppressed for a removed account with the same address as
 * the user's. Call it before {@link suppressedAmong} wherever mail is about to go out.
 */
export async function adoptKeptSuppressions(
  context: Context,
  db: Queryable,
  userId: number,
  keys: readonly string[],
): Promise<void> {
  const account = await accountWithKept(db, userId)
  if (account === undefined) return
  const signed = new Map(keys.map((key) => [signatureOf(context, account, key), key]))
  const kept = await keptAmong(db, [...signed.keys()])
  for (const [signature, reason] of kept) {
    const detail = 'For an earlier account with your address'
    const entry = { address_key: signed.get(signature) ?? '', reason, detail }
    await suppress(db, userId, entry, context.clock.now())
  }
  // Otherwise one that the user lifts would be adopted again.
  if (kept.size > 0) await removeKept(db, [...kept.keys()])
}
