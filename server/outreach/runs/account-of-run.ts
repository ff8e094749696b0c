import { setTimeout as pause } from 'node:timers/promises'
import { conflict, invalidInput, Refusal } from '../../platform/errors.ts'
import {
  isBeingCleared,
  isConfigured,
  mailbox as findMailbox,
  type Mailbox,
  primaryMailbox,
  SMTP_NOT_CONFIGURED,
} from '../../mail/mailboxes/mailboxes.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'

/**
 * The account that a run sends through: the given one, else the one in use. During practice nothing but practice is sent.
 *
 * @throws Refusal 400 for a given account that is not connected, or is not the practice mailbox during practice
 */
export async function accountOfRun(
  db: Queryable,
  userId: number,
  mailboxId: number | null | undefined,
): Promise<Mailbox | undefined> {
  const primary = await primaryMailbox(db, userId)
  if (mailboxId == null || mailboxId === primary?.id) return primary
  const given = await findMailbox(db, userId, mailboxId)
  if (!isConfigured(given))
    throw refusal('This email account is no longer connected. Please choose another one.')
  if (primary?.is_practice === true)
    throw refusal('You are practising, and a run would write to real people. Please leave practice first.')
  return given
}

/**
 * {@link accountOfRun}, ready to send.
 *
 * @throws Refusal 400 SMTP_NOT_CONFIGURED without an account; 400 for a wrong one
 */
export async function configuredAccount(
  db: Queryable,
  userId: number,
  mailboxId: number | null | undefined,
): Promise<Mailbox> {
  const mailbox = await accountOfRun(db, userId, mailboxId)
  if (!isConfigured(mailbox)) throw new Refusal(400, SMTP_NOT_CONFIGURED, 'SMTP_NOT_CONFIGURED')
  return mailbox
}

function refusal(why: string) {
  return invalidInput(why, { mailbox_id: why })
}

/** Clearing ten thousand practice mails takes about two seconds. */
const PATIENCE_MS = 15_000
const LOOK_EVERY_MS = 100

/**
 * Waits until practice is cleared away: before that some contacts look as if they had been mailed.
 *
 * @throws Refusal 409 when that takes too long
 */
export async function untilCleared(context: Context, userId: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (await isBeingCleared(context.db, userId)) {
    if (Date.now() > until || context.stopping.aborted)
      throw conflict('What happened in practice is still being cleared away. Try again in a moment.')
    await pause(LOOK_EVERY_MS)
  }
}
