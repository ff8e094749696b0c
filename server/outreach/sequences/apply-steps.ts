import { localDay, noteQueued } from '../automatic-mail/automatic-mail.ts'
import { type ContactToMail, giveTag, tagKey, takeTag } from '../../crm/contacts/contacts.ts'
import { addContactTodos } from '../../crm/todos/todos.ts'
import { addMails, type LastMail, setDepth } from './due-store.ts'
import { type Effect, endOfWait, type MailStep } from './walk-steps.ts'
import { taskTitle, type Texts, writeStep } from './write-step.ts'
import { withOptOut, type Writer } from '../briefs/briefs.ts'
import type { UserRow } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import type { MemberRow } from './members-store.ts'
import type { SequenceRow } from './store.ts'
import { makeBreath } from '../../platform/breath.ts'
import { type EmailToQueue, enqueueEmails, unsubscribeUrl } from '../../mail/emails/emails.ts'
import { type Mailbox, senderOf } from '../../mail/mailboxes/mailboxes.ts'
import { groupOf } from './pace.ts'

/** What waits for the user, not for a time, is looked at again after this. */
export const LOOK_AGAIN_MS = 10 * 60_000

/** One transaction in which some members of one sequence do their steps. */
export type Turn = {
  context: Context
  tx: Tx
  user: UserRow
  sequence: SequenceRow
  now: Date
  /** The user's time zone. */
  zone: string
  /** Sequences with members that are due and that send through the same account: each gets its part of a slot, and of the day. */
  sharers: number
}

/** What the turn has read of its members. */
export type Known = {
  contacts: ReadonlyMap<number, ContactToMail>
  writer: Writer
  /** The newest mail of the sequence to each member that has one. */
  last: ReadonlyMap<number, LastMail>
}

/** A member before a mail, with all that the mail needs. */
export type Candidate = { member: MemberRow; contact: ContactToMail; step: MailStep }

/** A task or a tag that a member came by. */
export type MembersEffect = { member: MemberRow; effect: Effect }

type TagEffect = Extract<Effect, { kind: 'tag' }>

/** Writes the tasks, and gives and takes the tags, that the members' walks came by. */
export async function applySteps(
  { context, tx, user, sequence, now, zone }: Turn,
  { contacts, writer }: Known,
  effects: readonly MembersEffect[],
): Promise<void> {
  if (effects.length === 0) return
  const tasks: Parameters<typeof addContactTodos>[2][number][] = []
  const tags = new Map<string, { effect: TagEffect; depth: number; ids: number[] }>()
  for (const { member, effect } of effects) {
    const contact = contacts.get(member.contact_id)
    if (contact === undefined) continue
    if (effect.kind === 'task') {
      const wait = { amount: effect.due_in_days, unit: 'days' as const }
      const dueDate = localDay(endOfWait(wait, now, zone), zone)
      tasks.push({ title: taskTitle(effect.title, contact, writer), dueDate, contactId: contact.id })
      continue
    }
    const key = `${member.depth} ${effect.act} ${tagKey(effect.tag)}`
    const group = tags.get(key) ?? { effect, depth: member.depth, ids: [] }
    group.ids.push(contact.id)
    tags.set(key, group)
  }
  await addContactTodos(tx, user.id, tasks, now)
  if (tasks.length > 0) await context.live.publish(tx, user.id, { topic: 'todos' })
  for (const { effect, depth, ids } of tags.values()) {
    await setDepth(tx, depth + 1, sequence.in_practice)
    if (effect.act === 'add') await giveTag(tx, user.id, ids, effect.tag, now)
    else await takeTag(tx, user.id, ids, effect.tag)
  }
  if (tags.size > 0) await context.live.publish(tx, user.id, { topic: 'contacts' })
}

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
