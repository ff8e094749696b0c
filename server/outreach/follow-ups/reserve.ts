import { reserveMails } from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import type { Standing } from './store.ts'

/** Claims today's automatic mail to each of these contacts: null where it may go, else why not. */
export async function reserve(
  context: Context,
  tx: Tx,
  at: { userId: number; mailboxId: number },
  people: readonly Standing[],
): Promise<Map<number, string | null>> {
  const wanted = people.map(({ contactId, email }) => ({ contactId, address: email }))
  const answers = await reserveMails(context, tx, { ...at, source: 'follow_up' }, wanted)
  return new Map([...answers].map(([contactId, refused]) => [contactId, refused?.reason ?? null]))
}
