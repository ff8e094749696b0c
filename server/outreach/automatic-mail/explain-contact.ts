import type { ContactAutomaticMail } from '#contract/outreach/automatic-mail.ts'
import { contactsById } from '../../crm/contacts/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { correspondentOf, stopsMail, suppressedAmong } from '../../mail/emails/emails.ts'
import { notFound } from '../../platform/errors.ts'
import { primaryMailbox } from '../../mail/mailboxes/mailboxes.ts'
import { nextDay, nextSendingTime } from './sending-times.ts'
import { type Standing, standingOf } from './standing.ts'
import { lastReservation, type Source } from './store.ts'
import { planNext, type PlanSource } from './upcoming.ts'

type Caller = { id: number; timeZone: string }

type WhyNone = ContactAutomaticMail['why_none'][number]

const STOPPED_BY: Record<string, string> = {
  unsubscribed: 'They have unsubscribed, so Howl sends them nothing any more.',
  bounced: 'Mail to this address came back, so Howl sends nothing more to it.',
  complaint: 'They have reported your mail as spam, so Howl sends them nothing any more.',
  asked:
    'An email from this address asked to unsubscribe, so Howl sends nothing more to it until you allow emails again.',
  manual: 'They are on your do-not-mail list.',
  declined: 'They said no, so outreach, follow-ups and sequences skip them until you allow mailing again.',
}

const WHAT: Record<Source, string> = {
  run: 'a personal first email',
  follow_up: 'a follow-up',
  sequence: 'an email of a sequence',
}

/**
 * Why a contact is not being mailed, and what happens next: the answer on the contact's page. `sources` know what is to
 * come; of several plans the earliest is told.
 *
 * @throws Refusal 404
 */
export async function explainContact(
  context: Context,
  user: Caller,
  contactId: number,
  sources: readonly PlanSource[],
): Promise<ContactAutomaticMail> {
  const { db } = context
  const contact = (await contactsById(db, user.id, [contactId])).get(contactId)
  if (contact === undefined) throw notFound('This contact does not exist.')
  const { email_key: key } = contact
  const mailbox = await primaryMailbox(db, user.id)
  const [last, suppressed, known, standing] = await Promise.all([
    lastReservation(db, user.id, key),
    suppressedAmong(db, user.id, [key]),
    correspondentOf(db, user.id, key),
    mailbox === undefined ? undefined : standingOf(context, db, { userId: user.id, mailboxId: mailbox.id }),
  ])
  const off = suppressed.get(key)
  const plans = await planNext(context, { userId: user.id, contactId, most: 1 }, sources)
  // To a suppressed address go payment reminders only. To a contact who has replied more can: they were put into a sequence or a run.
  const next = plans.find(
    ({ source }) => off === undefined || (source === 'payment_reminder' && !stopsMail(off, 'transactional')),
  )
  const why: WhyNone[] = []
  const add = (kind: WhyNone['kind'], sentence: string, until: Date | null = null) =>
    why.push({ kind, sentence, until: until?.toISOString() ?? null })
  const day = dayIn(user.timeZone)
  if (off !== undefined) add('suppressed', STOPPED_BY[off] ?? 'This address gets no more mail.')
  else if (known?.bounced_at != null)
    add('bounced', `Mail to this address came back on ${day(known.bounced_at)}.`)
  // An old reply does not hold up what was planned in spite of it.
  if (known?.replied_at != null && (next === undefined || next.source === 'payment_reminder'))
    add(
      'replied',
      `They replied on ${day(known.replied_at)}. Automatic mail stops at a reply: now it is your turn.`,
    )
  if (standing === undefined) add('no_account', 'No mail account is connected.')
  else if (standing.refused !== null)
    add(standing.refused.kind, standing.refused.reason, standing.refused.until)
  if (standing !== undefined && last !== null && last.day === standing.today && last.state !== 'failed')
    add(
      'once_a_day',
      'They get at most one automatic email a day, and had one today.',
      tomorrow(context, standing),
    )
  return {
    last: last === null ? null : sayLast(last, day),
    why_none: why,
    next:
      next === undefined
        ? null
        : {
            sentence: next.waits === null ? next.sentence : `${next.sentence} ${next.waits}.`,
            at: next.at,
          },
  }
}

function sayLast(
  { source, at, emailId, state }: NonNullable<Awaited<ReturnType<typeof lastReservation>>>,
  day: (at: Date) => string,
): ContactAutomaticMail['last'] {
  const what = WHAT[source]
  const sentence =
    state === null || state === 'sent'
      ? `Howl sent ${what} on ${day(at)}.`
      : state === 'failed'
        ? `Howl tried to send ${what} on ${day(at)}, and it was refused.`
        : `Howl wrote ${what}. It is on its way.`
  return { sentence, at: at.toISOString(), email_id: emailId }
}

function tomorrow(context: Context, { rules, zone }: Standing): Date {
  return nextSendingTime(rules, zone, nextDay(context.clock.now(), zone))
}

function dayIn(timeZone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  })
  return (at) => format.format(at)
}
