import type { SequenceStep } from '#contract/outreach/sequences.ts'
import { waitsWithoutEnd } from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { connectedMailbox } from '../../mail/emails/emails.ts'
import { isConfigured, type Mailbox, primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import type { SequenceRow } from './store.ts'

/**
 * The account that a sequence sends through: the chosen one, or the one in use if none was chosen. A chosen one that is
 * disconnected is not replaced: nobody is to hear from an address that was not chosen. During practice nothing but practice is
 * sent, and what was begun in practice never reaches real people.
 */
export async function accountOf(
  db: Queryable,
  { user_id: userId, mailbox_id: chosen }: Pick<SequenceRow, 'user_id' | 'mailbox_id'>,
): Promise<Mailbox | undefined> {
  const inUse = await primaryMailbox(db, userId)
  const mailbox =
    chosen === null || inUse?.is_practice === true ? inUse : await connectedMailbox(db, userId, chosen)
  return isConfigured(mailbox) ? mailbox : undefined
}

/** What mails and other steps of a sequence wait for while nobody knows until when, in words; null: they do not. */
export type StepWaits = { mails: string | null; others: string | null }

/** What the steps of a sequence wait for. Only mails need the account. */
export async function waitsOfSteps(
  context: Context,
  sequence: Pick<SequenceRow, 'user_id' | 'mailbox_id'>,
): Promise<StepWaits> {
  const mailbox = await accountOf(context.db, sequence)
  return {
    mails: await waitsWithoutEnd(context, sequence.user_id, mailbox?.id),
    others: await waitsWithoutEnd(context, sequence.user_id, undefined),
  }
}

/** What the step waits for. */
export const waitOf = (waits: StepWaits, step: number | null, steps: readonly SequenceStep[]) =>
  steps.find(({ id }) => id === step)?.kind === 'mail' ? waits.mails : waits.others
