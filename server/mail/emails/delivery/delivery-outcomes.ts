import type { Queryable } from '../../../platform/database/handles.ts'
import { type MailState, mailStates } from './outcomes-store.ts'

/**
 * What became of a mail that was to be sent. `draft`: it was taken back, or refused for good, and is a draft again; `gone`: it
 * was deleted without having left.
 */
export type DeliveryOutcome = {
  /** The mail that it left as: a draft that is sent becomes another mail. */
  emailId: number
  /** Null for a mail whose row is gone. */
  messageId: string | null
  /** The account that it is in; null for a mail whose row is gone. */
  mailboxId: number | null
  state: 'waiting' | 'sent' | 'failed' | 'draft' | 'gone'
  reason: string | null
  settledAt: Date | null
}

/** A draft may have been taken back and sent again; so often is looked for the mail that it became. */
const STEPS_MAX = 5

/** What became of these mails, by the ids that were asked for. */
export async function deliveryOutcomes(
  db: Queryable,
  userId: number,
  emailIds: readonly number[],
): Promise<Map<number, DeliveryOutcome>> {
  const current = new Map(emailIds.map((id) => [id, id]))
  const outcomes = new Map<number, DeliveryOutcome>()
  for (let step = 0; step < STEPS_MAX && current.size > 0; step += 1) {
    const states = await mailStates(db, userId, [...new Set(current.values())])
    for (const [asked, id] of current) {
      const mail = states.get(id)
      outcomes.set(asked, {
        emailId: id,
        messageId: mail?.messageId ?? null,
        mailboxId: mail?.mailboxId ?? null,
        ...outcomeOf(mail),
      })
      if (mail?.sentAs == null) current.delete(asked)
      else current.set(asked, mail.sentAs)
    }
  }
  return outcomes
}

function outcomeOf(
  mail: MailState | undefined,
): Omit<DeliveryOutcome, 'emailId' | 'messageId' | 'mailboxId'> {
  const none = { reason: null, settledAt: null }
  if (mail === undefined) return { state: 'gone', ...none }
  const { folder, state, reason, settledAt } = mail
  if (state === 'sent') return { state, reason: null, settledAt }
  if (folder === 'drafts') return { state: 'draft', ...none }
  if (folder === 'scheduled') return { state: 'waiting', ...none }
  if (state === null) return { state: 'gone', ...none }
  return { state: state === 'failed' ? 'failed' : 'waiting', reason, settledAt }
}
