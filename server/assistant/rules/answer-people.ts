import { correspondence, findListed, type ListedEmail } from '../../mail/emails/emails.ts'
import { contactFact } from '../tools/read-contacts.ts'
import { conversation, mailFact, mailFacts } from '../tools/read-mails.ts'
import { meetingFacts } from '../tools/read-calendar.ts'
import { taskFacts } from '../tools/read-tasks.ts'
import { dayOf, dayWords, shownWords } from '../tools/shown-words.ts'
import { contactSource } from '../tools/sources.ts'
import type { Asking, Fact } from '../tools/tool.ts'
import { type Answer, list, state } from './answer.ts'
import { nearestQuestions } from './nearest-questions.ts'
import { saidPeriod } from './said-time.ts'
import { unknownWords } from './unknown-words.ts'
import { cleanName, contactsNamed, contactsNearly, whoIs } from './who.ts'
import type { RuleCall } from './rule-call.ts'

const LAST_MAILS = 5
const FIELD =
  '(?:(?:phone|tel|mobile)(?: number)?|number|(?:e-?)?mail(?: address)?|address|company|position|job(?: title)?|status|contact|details?|notes?)'
const DETAIL_OF = new RegExp(String.raw`\b(?:an? |the )?${FIELD}\s+(?:of|for)\s+`, 'i')
const DETAIL = new RegExp(String.raw`(?:'s)?\s+${FIELD}$`, 'i')
/** Characters of one mail in a summary by rules: its first sentences. */
const SUMMED_UP = 260
const FIRST_PLACE = (now: Date) => ({
  at: new Date(now.getTime() + 365 * 86_400_000),
  id: Number.MAX_SAFE_INTEGER,
})

/** The newest mails from and to an address. */
export async function lastMails(
  { context, user }: Asking,
  address: string,
  count: number,
): Promise<ListedEmail[]> {
  const found = await correspondence(
    context.db,
    user.id,
    address.toLowerCase(),
    FIRST_PLACE(context.clock.now()),
    count,
  )
  const rows = await Promise.all(found.map(({ id }) => findListed(context.db, user.id, id)))
  return rows.filter((row) => row !== undefined)
}

/** The newest mail that somebody sent to the user. */
export async function lastMailFrom(asking: Asking, address: string): Promise<ListedEmail | undefined> {
  return (await lastMails(asking, address, 20)).find(({ direction }) => direction === 'in')
}

/** A contact with the last mails. */
export async function answerFindContact(call: RuleCall): Promise<void> {
  const { asking, answer, question, subject } = call
  const said = (question.named['who'] ?? '').replace(DETAIL_OF, '').replace(DETAIL, '')
  const name = cleanName(said)
  const found = await contactsNamed(asking, name)
  const near = found.length > 0 ? found : await contactsNearly(asking, name)
  if (near.length === 0) return answerFind({ ...call, question: { ...question, text: name } })
  const contact = await whoIs(asking, answer, name, subject)
  if (contact === null) return
  state(answer, contactFact(asking, contact))
  const mails = await lastMails(asking, contact.email, 3)
  if (mails.length > 0)
    list(answer, 'Last mails:', { facts: mails.map((row) => mailFact(asking, row)), total: mails.length }, '')
  answer.suggestions.push(
    `What did ${shownWords(contact.name, 60)} say?`,
    `Write a follow-up to ${shownWords(contact.name, 60)}`,
  )
}

/** Mails by folder, state, sender and words. */
export async function answerMails({ asking, answer, question }: RuleCall): Promise<void> {
  const { text } = question
  const from =
    /\bfrom\s+(?!(?:last|this|today|yesterday)\b)(?<who>.+?)(?:\s+(?:about|on|regarding|that|which|with|since|this|last|today|yesterday)\b|$)/i.exec(
      text,
    )?.groups?.['who']
  const to =
    /\b(?:sent|wrote|mails?|emails?)\b.*?\bto\s+(?<who>.+?)(?:\s+(?:about|on|regarding|this|last)\b|$)/i.exec(
      text,
    )?.groups?.['who']
  const about =
    /\b(?:about|regarding|mentioning|that mention|with the words?|containing)\s+(?<words>.+?)(?:\s+from\b|$)/i.exec(
      text,
    )?.groups?.['words']
  const period = saidPeriod(text, asking.context.clock.now(), asking.user.timeZone)
  const folder = /\bdrafts?\b/i.test(text)
    ? 'drafts'
    : to !== undefined || /\b(?:i|we) (?:sent|wrote)\b|\bsent\b/i.test(text)
      ? 'sent'
      : 'inbox'
  // "Bob's last email": whom no preposition names.
  const unnamed = from ?? to ?? about ?? unknownWords(text).join(' ')
  const isUnnamed = from === undefined && to === undefined && about === undefined && unnamed !== ''
  const people = isUnnamed ? await contactsNamed(asking, cleanName(unnamed)) : []
  const [writer] = people.length > 0 || !isUnnamed ? people : await contactsNearly(asking, cleanName(unnamed))
  const search = [
    ...(isUnnamed
      ? [writer === undefined ? searchWords(unnamed) : `from:"${searchWords(writer.email)}"`]
      : []),
    ...(from === undefined ? [] : [`from:"${searchWords(cleanName(from))}"`]),
    ...(to === undefined ? [] : [`to:"${searchWords(cleanName(to))}"`]),
    ...(about === undefined ? [] : [searchWords(about)]),
    ...(period === null || !(period.isPast || period.words === 'today' || /this/.test(period.words))
      ? []
      : [`after:${period.from}`]),
  ].join(' ')
  const only = /\bunread\b|\bnew\b/i.test(text)
    ? 'unread'
    : /\bstarred\b/i.test(text)
      ? 'starred'
      : /\battach/i.test(text)
        ? 'attachments'
        : 'all'
  const found = await mailFacts(asking, {
    folder,
    search,
    only,
    limit: /\b(?:last|latest|newest) (?:e-?mail|mail|message|reply)\b/i.test(text) ? 1 : 8,
  })
  list(
    answer,
    found.total === 1 || found.facts.length === 1 ? 'The newest:' : 'The newest first:',
    found,
    'I found no such mail.',
  )
}

/** Words of a question are no operators of a search. */
const searchWords = (words: string) =>
  words
    .replaceAll(/[":]/g, ' ')
    .replace(/[?!.]+$/, '')
    .trim()

/** What somebody wrote lately: the first sentences of each mail of the last conversation. */
export async function answerConversation({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const said = (question.named['who'] ?? '').replace(
    /^(?:the |this |my )?(?:conversation|thread|mails?|e-?mails?)(?:\s+(?:with|from|of)\s+)?/i,
    '',
  )
  const contact = await whoIs(asking, answer, cleanName(said), subject)
  if (contact === null) return
  const [newest] = await lastMails(asking, contact.email, 1)
  const name = shownWords(contact.name || contact.email, 80)
  if (newest === undefined) return void answer.lines.push(`There are no mails between you and ${name}.`)
  const { facts, total } = await conversation(asking, newest.id)
  const shown = facts.slice(-LAST_MAILS).map((fact): Fact => ({ ...fact, text: firstSentences(fact.text) }))
  answer.lines.push(
    `The last conversation with ${name}, “${shownWords(newest.subject, 80)}”, has ${total} ${total === 1 ? 'mail' : 'mails'}. Without a language model I cannot sum it up; this is how each begins:`,
  )
  list(answer, 'Oldest first:', { facts: shown, total }, '')
}

function firstSentences(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ')
  if (flat.length <= SUMMED_UP) return flat
  const cut = flat.slice(0, SUMMED_UP)
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('? '), cut.lastIndexOf('! '))
  return end > SUMMED_UP / 2 ? cut.slice(0, end + 1) : `${cut.trimEnd()}…`
}

/** What keeps somebody from being mailed. */
export async function answerWhyNotMailed({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const contact = await whoIs(
    asking,
    answer,
    cleanName((question.named['who'] ?? '').replace(/\s+(?:not|been|ever|never)$/i, '')),
    subject,
  )
  if (contact === null) return
  const name = shownWords(contact.name || contact.email, 80)
  const { context, user } = asking
  const reasons: Record<string, string> = {
    unsubscribed: 'has unsubscribed, so no more mail is sent to this address',
    bounced: 'has an address that mail did not reach: it bounced',
    complaint: 'has reported a mail of yours as spam',
    manual: 'gets no mail because you stopped it',
    declined: 'said no in a reply, so outreach, follow-ups and sequences skip them',
  }
  const last = contact.last_contact
  const reason =
    contact.suppressed !== null
      ? (reasons[contact.suppressed] ?? 'gets no more mail')
      : contact.computed_status === 'new'
        ? 'has not been mailed yet, and nothing stands against it'
        : `has been mailed${last === null ? '' : `; the last contact was ${dayWords(dayOf(last, user.timeZone), context.clock.now(), user.timeZone)}`}. A bulk run mails nobody twice`
  state(answer, { text: `${name} ${reason}.`, source: contactSource(contact) })
}

/** No rule fits: the words that carry a meaning are looked for among contacts, meetings, tasks and mails, and it says so. */
export async function answerFind({ asking, answer, question }: RuleCall): Promise<void> {
  const words = searchWords(unknownWords(question.text).join(' ')).slice(0, 120)
  if (words === '') return notUnderstood(answer, question.text)
  const people = await contactsNamed(asking, words)
  const none = { facts: [], total: 0 }
  const [meetings, tasks, mails] =
    people.length > 0
      ? [none, none, none]
      : [
          await meetingFacts(asking, { from: null, to: null, search: words, limit: 3 }),
          await taskFacts(asking, { search: words, due: 'any', completed: false, limit: 3 }),
          await mailFacts(asking, { folder: 'inbox', search: words, only: 'all', limit: 5 }),
        ]
  if (people.length + meetings.total + tasks.total + mails.total === 0)
    return notUnderstood(answer, question.text)
  answer.lines.push(
    `I am not sure what you want to know. This is what I have with “${shownWords(words, 80)}”:`,
  )
  const facts = people.slice(0, 5).map((row) => contactFact(asking, row))
  if (facts.length > 0) list(answer, 'Contacts:', { facts, total: people.length }, '')
  if (meetings.total > 0) list(answer, 'Meetings to come:', meetings, '')
  if (tasks.total > 0) list(answer, 'Tasks:', tasks, '')
  if (mails.total > 0) list(answer, 'Mails:', mails, '')
  answer.suggestions.push(...nearestQuestions(question.text))
}

function notUnderstood(answer: Answer, text: string): void {
  answer.lines.push(
    'I work by rules, and I have no rule for this. I also found no contact and no mail with these words. Try one of these, or ask “What can you do?”.',
  )
  answer.suggestions.push(...nearestQuestions(text))
}
