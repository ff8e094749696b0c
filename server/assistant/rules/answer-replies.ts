import type { Intent } from '#contract/mail/emails.ts'
import type { ListedEmail } from '../../mail/emails/emails.ts'
import { contactFact, contactFacts, silentContacts } from '../tools/read-contacts.ts'
import { mailFact, pageOfMails } from '../tools/read-mails.ts'
import { shownWords } from '../tools/shown-words.ts'
import type { Asking } from '../tools/tool.ts'
import { list, state } from './answer.ts'
import { lastMailFrom, lastMails } from './answer-people.ts'
import { whoIs } from './who.ts'
import type { RuleCall } from './rule-call.ts'

/** Mails of the inbox that are looked through, the newest first. */
const LOOKED_AT = 50
const SHOWN = 8

/** Contacts that were mailed and are silent. */
export async function answerWaiting({ asking, answer }: RuleCall): Promise<void> {
  const found = await silentContacts(asking, 10)
  list(
    answer,
    `${found.total.toLocaleString('en-GB')} of your contacts ${found.total === 1 ? 'was' : 'were'} mailed and ${found.total === 1 ? 'has' : 'have'} not replied. The longest silent:`,
    found,
    'Nobody: everybody whom you mailed has replied, or nobody was mailed yet.',
  )
  const [first] = answer.sources
  if (first !== undefined) answer.suggestions.push(`Write a follow-up to ${first.label}`)
}

/** Contacts that have replied. */
export async function answerReplied({ asking, answer }: RuleCall): Promise<void> {
  const of = (status: 'replied' | 'interested') =>
    contactFacts(asking, { search: '', status, limit: 10, sort: '-last_contact' })
  const [replied, interested] = [await of('replied'), await of('interested')]
  list(answer, 'Have replied:', replied, 'No plain replies yet.')
  if (interested.total > 0) list(answer, 'Are interested:', interested, '')
}

/** What needs no answer: it says no, or nobody wrote it. */
const SETTLED: readonly Intent[] = ['not_interested', 'unsubscribe', 'out_of_office']

/** Who wrote last and has got no answer: the newest reply of each, unless it needs none. */
export async function answerUnanswered({ asking, answer }: RuleCall): Promise<void> {
  const waiting: ListedEmail[] = []
  for (const mail of await newestOfEach(asking)) {
    if (mail.intent === null || (SETTLED as string[]).includes(mail.intent)) continue
    const [last] = await lastMails(asking, mail.from_address, 1)
    if (last === undefined || last.id === mail.id) waiting.push(mail)
  }
  list(
    answer,
    `Waiting for your answer, among the newest ${LOOKED_AT} mails of your inbox:`,
    { facts: waiting.slice(0, SHOWN).map((mail) => mailFact(asking, mail)), total: waiting.length },
    `Nobody: no reply among the newest ${LOOKED_AT} mails of your inbox needs an answer.`,
  )
}

/** Whether somebody has replied, with the reply. */
export async function answerHasReplied({ asking, answer, question, subject }: RuleCall): Promise<void> {
  const contact = await whoIs(asking, answer, question.named['who'] ?? '', subject)
  if (contact === null) return
  const name = shownWords(contact.name || contact.email, 80)
  const mail = await lastMailFrom(asking, contact.email)
  if (mail !== undefined) {
    answer.lines.push(`Yes, there is a mail from ${name}.`)
    return state(answer, mailFact(asking, mail))
  }
  answer.lines.push(`No, there is no mail from ${name} yet.`)
  state(answer, contactFact(asking, contact))
}

const WANTS: readonly [Intent, RegExp, string][] = [
  ['not_interested', /\bnot\b|n't|\bsaid no\b|\bsays no\b|\bdeclined\b|\bturned\b/i, 'Said no'],
  ['interested', /\binterest(?:ed)?\b|\bsaid yes\b|\bsays yes\b/i, 'Interested'],
  ['question', /\bquestions?\b/i, 'Asked a question'],
  ['meeting_request', /\bmeet(?:ing)?\b|\bcall\b/i, 'Asked for a meeting'],
  ['out_of_office', /\boffice\b|\bholiday\b/i, 'Out of the office'],
]

/** Whose newest reply wants this, as the rules have read it. */
export async function answerWhoWants({ asking, answer, question }: RuleCall): Promise<void> {
  const [intent, , words] = WANTS.find(([, said]) => said.test(question.text)) ?? ['question', null, 'Asked']
  const mails = (await newestOfEach(asking)).filter((mail) => mail.intent === intent)
  list(
    answer,
    `${words}, among the newest ${LOOKED_AT} mails of your inbox:`,
    { facts: mails.slice(0, SHOWN).map((mail) => mailFact(asking, mail)), total: mails.length },
    `Nobody, as far as I can tell from the newest ${LOOKED_AT} mails of your inbox.`,
  )
}

/** The newest mail of each writer among the newest of the inbox. */
async function newestOfEach(asking: Asking): Promise<ListedEmail[]> {
  const { rows } = await pageOfMails(asking, { folder: 'inbox', search: '', only: 'all', limit: LOOKED_AT })
  const seen = new Set<string>()
  return rows.filter(({ from_address: from }) => {
    const key = from.toLowerCase()
    return !seen.has(key) && seen.add(key) !== undefined
  })
}
