import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { MailboxGrantsTable, OauthRequestsTable } from './tables.ts'

export type Grant = Selectable<MailboxGrantsTable>
export type GrantChanges = Omit<Updateable<MailboxGrantsTable>, 'user_id' | 'mailbox_id'>
export type OauthRequest = Selectable<OauthRequestsTable>

/** Requests for consent that one user may have open. */
const OPEN_REQUESTS_MAX = 20

export async function findGrant(
  db: Queryable,
  userId: number,
  mailboxId: number,
): Promise<Grant | undefined> {
  return db
    .selectFrom('mailbox_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .where('mailbox_id', '=', mailboxId)
    .executeTakeFirst()
}

/** The grants of a user, by mailbox. */
export async function grantsOf(db: Queryable, userId: number): Promise<Map<number, Grant>> {
  const rows = await db.selectFrom('mailbox_grants').selectAll().where('user_id', '=', userId).execute()
  return new Map(rows.map((row) => [row.mailbox_id, row]))
}

/** Locks a grant until the transaction ends: one process at a time renews its tokens. */
export async function lockGrant(tx: Tx, userId: number, mailboxId: number): Promise<Grant | undefined> {
  return tx
    .selectFrom('mailbox_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .where('mailbox_id', '=', mailboxId)
    .forUpdate()
    .executeTakeFirst()
}

export async function changeGrant(
  tx: Tx,
  { user_id, mailbox_id }: Pick<Grant, 'user_id' | 'mailbox_id'>,
  changes: GrantChanges,
): Promise<void> {
  await tx
    .updateTable('mailbox_grants')
    .set(changes)
    .where('user_id', '=', user_id)
    .where('mailbox_id', '=', mailbox_id)
    .execute()
}

/** Saves what the owner consented to, in place of an earlier grant of the mailbox. */
export async function saveGrant(tx: Tx, grant: Insertable<MailboxGrantsTable>): Promise<void> {
  const { user_id: _, mailbox_id: __, ...state } = grant
  await tx
    .insertInto('mailbox_grants')
    .values(grant)
    .onConflict((row) =>
      row
        .columns(['user_id', 'mailbox_id'])
        .doUpdateSet({ failures: 0, retry_at: null, trouble: null, withdrawn_at: null, ...state }),
    )
    .execute()
}

/** Deletes a mailbox's grant and returns it, so that it can be ended at the issuer too. */
export async function takeGrant(tx: Tx, userId: number, mailboxId: number): Promise<Grant | undefined> {
  return tx
    .deleteFrom('mailbox_grants')
    .where('user_id', '=', userId)
    .where('mailbox_id', '=', mailboxId)
    .returningAll()
    .executeTakeFirst()
}

/** True while another mailbox, of whichever user, lives on the same person's consent: revoking would end it too. */
export async function isConsentInUse(db: Queryable, of: Pick<Grant, 'issuer' | 'subject'>): Promise<boolean> {
  const other = await db
    .selectFrom('mailbox_grants')
    .select('mailbox_id')
    .where('issuer', '=', of.issuer)
    .where('subject', '=', of.subject)
    .executeTakeFirst()
  return other !== undefined
}

/** Renewing works again: the mailbox no longer waits for it. True when it did. */
export async function endGrantTrouble(db: Queryable, grant: Grant): Promise<boolean> {
  const changed = await db
    .updateTable('mailboxes')
    .set({ last_error: null, send_pause_until: null })
    .where('user_id', '=', grant.user_id)
    .where('id', '=', grant.mailbox_id)
    .where('last_error', '=', grant.trouble)
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Remembers a request for consent. Expired ones of all users, and the oldest of this user beyond a limit, are removed. */
export async function addOauthRequest(tx: Tx, request: OauthRequest, now: Date): Promise<void> {
  await tx.deleteFrom('oauth_requests').where('expires_at', '<=', now).execute()
  await tx.insertInto('oauth_requests').values(request).execute()
  const own = tx
    .selectFrom('oauth_requests')
    .select('state_signature')
    .where('user_id', '=', request.user_id)
    .orderBy('expires_at', 'desc')
    .limit(OPEN_REQUESTS_MAX)
  await tx
    .deleteFrom('oauth_requests')
    .where('user_id', '=', request.user_id)
    .where('state_signature', 'not in', own)
    .execute()
}

/** Takes a request for consent, which is good once and for its own session only. */
export async function takeOauthRequest(
  db: Queryable,
  of: { userId: number; sessionId: string; stateSignature: string; now: Date },
): Promise<OauthRequest | undefined> {
  return db
    .deleteFrom('oauth_requests')
    .where('user_id', '=', of.userId)
    .where('session_id', '=', of.sessionId)
    .where('state_signature', '=', of.stateSignature)
    .where('expires_at', '>', of.now)
    .returningAll()
    .executeTakeFirst()
}
