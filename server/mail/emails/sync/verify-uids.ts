import { messageIds } from '../../../formats/mail-text/parse.ts'
import { identitiesOf } from './pending-actions-store.ts'
import type { MailLocation } from './plan-actions.ts'
import { accountOf, type SyncPass } from './sync-pass.ts'

/**
 * The UIDs, in the folder that is selected, under which these messages still are. One without a Message-ID is told by
 * its size.
 *
 * @throws ImapFailure
 */
export async function verifiedUids(
  pass: SyncPass,
  locations: readonly Pick<MailLocation, 'emailId' | 'uid'>[],
): Promise<Set<number>> {
  const { userId } = accountOf(pass)
  const emailIds = locations.map(({ emailId }) => emailId)
  const identities = await identitiesOf(pass.context.db, userId, emailIds)
  const expected = new Map(locations.map(({ uid, emailId }) => [uid, identities.get(emailId)]))
  const verified = new Set<number>()
  for await (const { uid, envelope, size } of pass.session.envelopesOf([...expected.keys()])) {
    const [id] = messageIds(envelope?.messageId ?? '')
    const mail = expected.get(uid)
    if (id === undefined ? mail?.size === size : mail?.messageIds.includes(id)) verified.add(uid)
  }
  return verified
}
