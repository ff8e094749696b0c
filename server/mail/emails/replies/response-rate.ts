import type { emails } from '#contract/mail/emails.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { countMailed } from '../../../crm/contacts/contacts.ts'
import type { Queryable } from '../../../platform/database/handles.ts'

/** How many of the mailed contacts have replied, in numbers and in whole percent ("37%"). */
export async function responseRate(
  db: Queryable,
  userId: number,
): Promise<ReplyOf<typeof emails.responseRate>> {
  const { mailed, replied } = await countMailed(db, userId)
  const percent = mailed === 0 ? 0 : Math.round((100 * replied) / mailed)
  return { responseRate: `${percent}%`, replied, mailed }
}
