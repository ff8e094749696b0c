import { MAIL_PAUSED } from '#contract/operations/leaving.ts'
import { findUser, isMailPaused, type UserRow } from '../../../accounts/auth/auth.ts'
import type { Context } from '../../../platform/context.ts'
import type { Queryable } from '../../../platform/database/handles.ts'
import { conflict, invalidInput, Refusal, unauthenticated } from '../../../platform/errors.ts'
import {
  isConfigured,
  mailbox as findMailbox,
  type Mailbox,
  primaryMailbox,
} from '../../mailboxes/mailboxes.ts'
import { findByMessageIds } from '../messages/store.ts'

/**
 * The sending user and account: the account of the call, else the preferred one if it is connected, else the one in use.
 *
 * @throws Refusal 400 SMTP_NOT_CONFIGURED; 400 for a missing or disconnected account; 409 while mail is paused
 */
export async function senderFor(
  context: Context,
  userId: number,
  mailboxId: number | null,
  preferred: number | null = null,
): Promise<{ user: UserRow; mailbox: Mailbox }> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  if (isMailPaused(user)) throw conflict(MAIL_PAUSED)
  if (mailboxId === null) {
    const mailbox =
      (await connectedMailbox(context.db, userId, preferred)) ?? (await primaryMailbox(context.db, userId))
    if (!isConfigured(mailbox)) throw notConfigured()
    return { user, mailbox }
  }
  const mailbox = await connectedMailbox(context.db, userId, mailboxId)
  if (mailbox !== undefined) return { user, mailbox }
  throw notConnected()
}

/** An account of the user's that can send; undefined for one that is gone or disconnected. */
export async function connectedMailbox(
  db: Queryable,
  userId: number,
  id: number | null | undefined,
): Promise<Mailbox | undefined> {
  const row = id == null ? undefined : await findMailbox(db, userId, id)
  return isConfigured(row) ? row : undefined
}

/**
 * The account by which a mail goes that names none: that of the draft, which its author has seen, else the one that holds the
 * mail it answers. A draft from before practice does not leave Howl during practice, unless it answers a mail from outside.
 */
export async function mailboxOfDraft(
  db: Queryable,
  userId: number,
  answered: string | null | undefined,
  ofDraft: number | null,
): Promise<number | null> {
  const [original] = answered == null ? [] : await findByMessageIds(db, userId, [answered])
  const holding = original?.mailbox_id ?? null
  const inUse = await primaryMailbox(db, userId)
  if (inUse?.is_practice === true) return ofDraft === inUse.id ? ofDraft : holding
  return (await connectedMailbox(db, userId, ofDraft))?.id ?? holding
}

/** The account by which a mail goes that names none, with its address; null while no account can send. */
export async function accountToSendBy(
  db: Queryable,
  userId: number,
  answered: string | null,
): Promise<{ id: number; address: string } | null> {
  const preferred = await mailboxOfDraft(db, userId, answered, null)
  const row = (await connectedMailbox(db, userId, preferred)) ?? (await primaryMailbox(db, userId))
  return isConfigured(row) ? { id: row.id, address: row.address } : null
}

/** The refusal of an account that a call names but that cannot send. */
export function notConnected(): Refusal {
  const why = 'This email account is no longer connected. Please choose another one.'
  return invalidInput(why, { mailbox_id: why })
}

function notConfigured(): Refusal {
  return new Refusal(
    400,
    'Please configure your email settings (SMTP) before sending emails.',
    'SMTP_NOT_CONFIGURED',
  )
}
