import { localDay } from '../automatic-mail/automatic-mail.ts'
import { giveTag, tagKey, takeTag } from '../../crm/contacts/contacts.ts'
import { addContactTodos } from '../../crm/todos/todos.ts'
import { setDepth } from './due-store.ts'
import type { Known, MembersDeed, Turn } from './turn.ts'
import { type Deed, endOfWait } from './walk-steps.ts'
import { taskTitle } from './write-step.ts'

type TagDeed = Extract<Deed, { kind: 'tag' }>

/** Writes the tasks, and gives and takes the tags, that the members' walks came by. */
export async function doDeeds(
  { context, tx, user, sequence, now, zone }: Turn,
  { contacts, writer }: Known,
  deeds: readonly MembersDeed[],
): Promise<void> {
  if (deeds.length === 0) return
  const tasks: Parameters<typeof addContactTodos>[2][number][] = []
  const tags = new Map<string, { deed: TagDeed; depth: number; ids: number[] }>()
  for (const { member, deed } of deeds) {
    const contact = contacts.get(member.contact_id)
    if (contact === undefined) continue
    if (deed.kind === 'task') {
      const wait = { amount: deed.due_in_days, unit: 'days' as const }
      const dueDate = localDay(endOfWait(wait, now, zone), zone)
      tasks.push({ title: taskTitle(deed.title, contact, writer), dueDate, contactId: contact.id })
      continue
    }
    const key = `${member.depth} ${deed.act} ${tagKey(deed.tag)}`
    const group = tags.get(key) ?? { deed, depth: member.depth, ids: [] }
    group.ids.push(contact.id)
    tags.set(key, group)
  }
  await addContactTodos(tx, user.id, tasks, now)
  if (tasks.length > 0) await context.live.publish(tx, user.id, { topic: 'todos' })
  for (const { deed, depth, ids } of tags.values()) {
    await setDepth(tx, depth + 1, sequence.in_practice)
    if (deed.act === 'add') await giveTag(tx, user.id, ids, deed.tag, now)
    else await takeTag(tx, user.id, ids, deed.tag)
  }
  if (tags.size > 0) await context.live.publish(tx, user.id, { topic: 'contacts' })
}
