import { randomInt } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import { isUniqueViolation } from '../../platform/database/transaction.ts'
import { addCode, findCode } from './store.ts'

/** No 0, 1, I, L and O: people read codes to each other. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const LENGTH = 8

/** The user's referral code; it is made when it is asked for first, and never changes. */
export async function referralCode(context: Context, userId: number): Promise<string> {
  const known = await findCode(context.db, userId)
  if (known !== undefined) return known
  const code = Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  await addCode(context.db, userId, code).catch((error: unknown) => {
    // Somebody else has it: the next one is another.
    if (!isUniqueViolation(error, 'referral_codes_code')) throw error
  })
  return referralCode(context, userId)
}

/** The landing page with the code filled into the sign-up. */
export function referralLink(context: Pick<Context, 'config'>, code: string, token?: string): string {
  const query = new URLSearchParams({ ref: code, ...(token === undefined ? {} : { invitation: token }) })
  return `${context.config.publicUrl}/?${query.toString()}`
}
