import { withOptOut } from '../briefs/briefs.ts'
import { noteQueued } from '../automatic-mail/automatic-mail.ts'
import { makeBreath } from '../../platform/breath.ts'
import { type EmailToQueue, enqueueEmails, unsubscribeUrl } from '../../mail/emails/emails.ts'
import { type Mailbox, senderOf } from '../../mail/mailboxes/mailboxes.ts'
import { addMails } from './due-store.ts'
import { groupOf } from './hours-of.ts'
import type { Candidate, Known, Turn } from './turn.ts'
import { type Texts, writeStep } from './write-step.ts'

/** Writes the mails of members whose day is reserved, and queues them. */
export async function queueMails(
  { context, tx, user, sequence, now }: Turn,
  { writer, last }: Known,
  mailbox: Mailbox,
  { granted, texts }: { granted: readonly Candidate[]; texts: Texts },
): Promise<void> {
  const { user_id: userId, id: sequenceId } = sequence
  const breathe = makeBreath()
  const emails: EmailToQueue[] = []
  for (const { member, contact, step } of granted) {
    await breathe()
    const written = writeStep(step, texts, contact, writer, last.get(member.id))
    emails.push({
      to: contact.email,
      purpose: 'outreach',
      ...written,
      text: (emailId) =>
        withOptOut(written.text, unsubscribeUrl(context, userId, emailId), writer.voice.language),
    })
  }
  const ids = await enqueueEmails(
    context,
    tx,
    {
      userId,
      mailboxId: mailbox.id,
      groupId: groupOf(sequenceId),
      priority: 1,
      from: senderOf(mailbox, user),
    },
    emails,
  )
  await addMails(
    tx,
    { userId, sequenceId, mailboxId: mailbox.id, now },
    granted.map(({ member, step }, index) => ({
      emailId: ids[index] ?? 0,
      memberId: member.id,
      step: step.id,
    })),
  )
  await noteQueued(
    tx,
    userId,
    'sequence',
    granted.map(({ contact }, index) => ({ contactId: contact.id, emailId: ids[index] ?? 0 })),
  )
  if (ids.length > 0) await context.live.publish(tx, userId, { topic: 'emails' })
}
