import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { MailboxGrantsTable, OauthRequestsTable } from './tables.ts'
import { hasRows, rowOf } from '../../platform/database/rows.ts'

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
  return rowOf<Grant>(db)`
    SELECT * FROM mailbox_grants WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}`
}

/** The grants of a user, by mailbox. */
export async function grantsOf(db: Queryable, userId: number): Promise<Map<number, Grant>> {
  const { rows } = await sql<Grant>`SELECT * FROM mailbox_grants WHERE user_id = ${userId}`.execute(db)
  return new Map(rows.map((row) => [row.mailbox_id, row]))
}

/** Locks a grant until the transaction ends: one process at a time renews its tokens. */
export async function lockGrant(tx: Tx, userId: number, mailboxId: number): Promise<Grant | undefined> {
  return rowOf<Grant>(tx)`
    SELECT * FROM mailbox_grants WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} FOR UPDATE
    `
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
  return rowOf<Grant>(tx)`
    DELETE FROM mailbox_grants WHERE user_id = ${userId} AND mailbox_id = ${mailboxId} RETURNING *
    `
}

/** True while another mailbox, of whichever user, lives on the same person's consent: revoking would end it too. */
export async function isConsentInUse(db: Queryable, of: Pick<Grant, 'issuer' | 'subject'>): Promise<boolean> {
  return hasRows(db)`
    SELECT FROM mailbox_grants WHERE issuer = ${of.issuer} AND subject = ${of.subject} LIMIT 1`
}

/** Renewing works again: the mailbox no longer waits for it. True when it did. */
export async function endGrantTrouble(db: Queryable, grant: Grant): Promise<boolean> {
  return hasRows(db)`
    UPDATE mailboxes SET last_error = NULL, send_pause_until = NULL
    WHERE user_id = ${grant.user_id} AND id = ${grant.mailbox_id} AND last_error = ${grant.trouble}
    RETURNING 1`
}

/** Remembers a request for consent. Expired ones of all users, and the oldest of this user beyond a limit, are removed. */
export async function addOauthRequest(tx: Tx, request: OauthRequest, now: Date): Promise<void> {
  await tx.deleteFrom('oauth_requests').where('expires_at', '<=', now).execute()
  await tx.insertInto('oauth_requests').values(request).execute()
  await sql`
    DELETE FROM oauth_requests WHERE user_id = ${request.user_id} AND state_signature NOT IN (
      SELECT state_signature FROM oauth_requests WHERE user_id = ${request.user_id}
      ORDER BY expires_at DESC LIMIT ${OPEN_REQUESTS_MAX})`.execute(tx)
}

/** Takes a request for consent, which is good once and for its own session only. */
export async function takeOauthRequest(
  db: Queryable,
  of: { userId: number; sessionId: string; stateSignature: string; now: Date },
): Promise<OauthRequest | undefined> {
  return rowOf<OauthRequest>(db)`
    DELETE FROM oauth_requests
    WHERE user_id = ${of.userId} AND session_id = ${of.sessionId} AND state_signature = ${of.stateSignature}
      AND expires_at > ${of.now}
    RETURNING *`
}
