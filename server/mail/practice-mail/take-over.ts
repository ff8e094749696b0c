import type { Context } from '../../platform/context.ts'
import { addressKey } from '../../formats/mail-text/addresses.ts'
import { parseMail, UnreadableMail } from '../../formats/mail-text/parse.ts'
import { mailbox } from '../mailboxes/mailboxes.ts'
import { composeAnswer, type Received } from './compose-answer.ts'
import { FIRST_MANNERS, hashOf, type Manner, namedManner, secondsUntilAnswer, usualManner } from './people.ts'
import type { PracticeMail } from './smtp-server.ts'
import { addFirstPerson, firstPeople, type NewAnswer } from './store.ts'

/** Mailboxes with all their first people known, at most. */
const REMEMBER_MAX = 1000

/**
 * What the practice server does with a mail: the answers of its recipients, each with the time at which it arrives. A
 * mail to the user's own address comes back unchanged.
 */
export async function answersTo(
  context: Context,
  place: { userId: number; mailboxId: number },
  taken: PracticeMail,
): Promise<NewAnswer[]> {
  const { userId, mailboxId } = place
  const row = await mailbox(context.db, userId, mailboxId)
  if (row === undefined || !row.is_practice) return []
  const own = addressKey(row.address)
  // Only the user's own mails are answered; a report has the empty sender and never is.
  const isOwn = taken.from !== '' && addressKey(taken.from) === own
  const now = context.clock.now()
  const answer = (due_at: Date, raw: Buffer): NewAnswer => ({
    user_id: userId,
    mailbox_id: mailboxId,
    due_at,
    raw,
  })

  const answers: NewAnswer[] = []
  let read: Promise<Received | null> | undefined
  for (const address of taken.to) {
    if (addressKey(address) === own) {
      answers.push(answer(now, taken.raw))
      continue
    }
    const manner = isOwn ? await mannerOf(context, place, address) : 'silent'
    if (manner === 'silent') continue
    const received = await (read ??= readMail(taken.raw))
    if (received === null) continue
    const id = received.mail.messageId ?? String(hashOf(received.mail.text))
    const due = new Date(now.getTime() + secondsUntilAnswer(id, address) * 1000)
    const raw = await composeAnswer(received, address, manner, due)
    if (raw !== null) answers.push(answer(due, raw))
  }
  return answers
}

async function readMail(raw: Buffer): Promise<Received | null> {
  try {
    return { raw, mail: await parseMail(raw) }
  } catch (error) {
    if (error instanceof UnreadableMail) return null
    throw error
  }
}

async function mannerOf(
  context: Context,
  place: { userId: number; mailboxId: number },
  address: string,
): Promise<Manner> {
  const named = namedManner(address)
  if (named !== undefined) return named
  const at = (await firstPeopleWith(context, place, addressKey(address))).indexOf(addressKey(address))
  return FIRST_MANNERS[at] ?? usualManner(address)
}

async function firstPeopleWith(
  context: Context,
  { userId, mailboxId }: { userId: number; mailboxId: number },
  key: string,
): Promise<string[]> {
  const complete = context.memory.firstPeople
  const known = complete.get(mailboxId)
  if (known !== undefined) return known
  // Two simultaneous mails may want the same place; the later one looks for the next.
  let people = await firstPeople(context.db, userId, mailboxId)
  while (!people.includes(key) && people.length < FIRST_MANNERS.length) {
    await addFirstPerson(context.db, userId, mailboxId, key, FIRST_MANNERS.length)
    people = await firstPeople(context.db, userId, mailboxId)
  }
  if (people.length === FIRST_MANNERS.length) {
    if (complete.size >= REMEMBER_MAX) complete.clear()
    complete.set(mailboxId, people)
  }
  return people
}
