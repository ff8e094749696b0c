import type { emails } from '#contract/emails.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { findUser } from '../auth/auth.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { invalidInput, Refusal, unauthenticated } from '../http/errors.ts'
import { isConfigured, primaryMailbox, senderOf } from '../mailboxes/mailboxes.ts'
import { addressKey, isSendable } from '../mail/addresses.ts'
import { suppressedAmong } from './correspondent-store.ts'
import { deliverEmail } from './deliver-email.ts'
import { queueEmails } from './queue-emails.ts'
import { findByMessageIds, findListed, type ListedEmail, turnIntoDraft } from './store.ts'

/** Mails cannot be scheduled further ahead than this. */
const SCHEDULE_MAX_MS = 2 * 366 * 86_400_000

/**
 * Sends a mail, or puts it into Scheduled.
 *
 * @throws Refusal 400 SMTP_NOT_CONFIGURED without an account; 400 MAIL_SERVER with the far server's words when it refuses
 * the mail for good, which then stands among the drafts; 400 when the address is off the list.
 */
export async function sendEmail(
  context: Context,
  userId: number,
  input: BodyOf<typeof emails.send>,
): Promise<ListedEmail> {
  const user = await findUser(context.db, userId)
  if (user === undefined) throw unauthenticated()
  const mailbox = await primaryMailbox(context.db, userId)
  if (!isConfigured(mailbox)) throw notConfigured()
  await checkRecipient(context, userId, input.to)
  const scheduleAt = scheduled(input.schedule_at ?? null, context.clock.now())
  const original =
    input.in_reply_to == null
      ? undefined
      : (await findByMessageIds(context.db, userId, [input.in_reply_to]))[0]

  const emailId = await inTransaction(context.db, async (tx) => {
    const [id = 0] = await queueEmails(
      context,
      tx,
      { userId, mailboxId: mailbox.id, from: senderOf(mailbox, user), priority: 0, scheduleAt },
      [
        {
          to: input.to,
          subject: input.subject,
          text: input.content,
          purpose: original === undefined ? 'compose' : 'reply',
          inReplyTo: original?.message_id ?? null,
          ...(original === undefined
            ? {}
            : { threadId: original.thread_id, references: [original.message_id] }),
        },
      ],
    )
    await context.live.publish(tx, userId, { topic: 'emails' })
    return id
  })
  if (scheduleAt === null)
    await deliverOrRefuse(context, { userId, emailId, mailboxId: mailbox.id, senderName: user.name })
  const sent = await findListed(context.db, userId, emailId)
  if (sent === undefined) throw new Error(`Mail ${emailId} is gone just after it was sent`)
  return sent
}

function notConfigured(): Refusal {
  return new Refusal(
    400,
    'Please configure your email settings (SMTP) before sending emails.',
    'SMTP_NOT_CONFIGURED',
  )
}

async function checkRecipient(context: Context, userId: number, to: string): Promise<void> {
  if (!isSendable(to))
    throw invalidInput('Please enter a valid email address', { to: 'Please enter a valid email address' })
  const key = addressKey(to)
  const reason = (await suppressedAmong(context.db, userId, [key])).get(key)
  if (reason === undefined) return
  const why = {
    unsubscribed: 'has unsubscribed from your mail',
    bounced: 'does not exist: mail to it came back',
    complaint: 'has reported your mail as spam',
    manual: 'is on your do-not-mail list',
  }[reason]
  throw invalidInput(`${to} ${why}. Nothing was sent.`, { to: `This address ${why}.` })
}

function scheduled(at: string | null, now: Date): Date | null {
  if (at === null || at === '') return null
  const time = new Date(at)
  if (time.getTime() > now.getTime() + SCHEDULE_MAX_MS) {
    throw invalidInput('Please choose a time within the next two years.', {
      schedule_at: 'Please choose a time within the next two years.',
    })
  }
  return time > now ? time : null
}

async function deliverOrRefuse(context: Context, mail: Parameters<typeof deliverEmail>[1]): Promise<void> {
  const { state, reason } = await deliverEmail(context, mail)
  await context.live.publish(context.db, mail.userId, { topic: 'emails' })
  if (state !== 'failed') return
  await inTransaction(context.db, (tx) => turnIntoDraft(tx, mail.userId, mail.emailId))
  throw new Refusal(
    400,
    `The mail server refused this mail: ${reason ?? 'no reason given'} It is kept in Drafts.`,
    'MAIL_SERVER',
  )
}
