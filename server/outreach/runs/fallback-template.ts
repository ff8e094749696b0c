import { closingOf, PHRASES, type Sender } from '../briefs/briefs.ts'
import type { Reader } from '../templates/templates.ts'
import { firstName } from '../../formats/mail-text/first-name.ts'
import type { BriefFields } from '#contract/outreach/briefs.ts'

/** The recipient, as far as the contact tells. */
export type Recipient = Reader & { notes: string }

export type WrittenMail = { subject: string; text: string }

/**
 * The mail to send when no language model wrote one and the user has not said what the mails are about: greeting by first name,
 * who writes, a line on their company or position. Notes are the user's private words and never quoted. No placeholder is ever
 * left unfilled.
 */
export function templateMail(to: Recipient, from: Sender): WrittenMail {
  const { company } = to
  const name = firstName(to)
  const say = PHRASES.en
  const me = [from.name, [from.role, from.company].filter((part) => part !== '').join(' at ')]
  const lines = [
    say.greeting.plain(name),
    `${say.introduction(from)} ${occasion(to)}`,
    `I would like to learn what matters most ${company === '' ? 'to you' : `at ${company}`} at the moment, and where we could take work off your hands.`,
    `${say.ask} If somebody else is the right person to talk to, I would be grateful for a pointer.`,
    [say.closing.plain, ...me.filter((part) => part !== '')].join('\n'),
  ]
  return { subject: say.subject({ name, company, mine: from.company }), text: lines.join('\n\n') }
}

function occasion({ company, position }: Recipient): string {
  if (position !== '') return PHRASES.en.occasion({ company, position })
  return company === ''
    ? 'I am getting in touch because I believe that we could be useful to each other.'
    : `I am getting in touch because of what you do at ${company}.`
}

/** Ends with a mark of its own. A sentence in quotes or brackets ends before them. */
const ENDED = /[.!?…:;。！？]["'”’»)\]]*$/u

/**
 * The template for a user who has said what the mails are about: who writes and why to this person, the offer and what it
 * brings, the proof, the question, the signature. The user's words stand as they were written.
 */
export function briefMail(to: Recipient, from: Sender, brief: BriefFields): WrittenMail {
  const say = PHRASES[brief.language]
  const name = firstName(to)
  const lines = [
    say.greeting[brief.tone](name),
    paragraph(say.introduction(from), say.occasion(to)),
    paragraph(
      sentence(brief.offer),
      brief.audience === '' ? '' : sentence(say.audience(brief.audience)),
      sentence(brief.benefit),
    ),
    sentence(brief.proof),
    brief.ask === '' ? say.ask : sentence(brief.ask),
    closingOf(from, brief),
  ]
  return {
    subject: say.subject({ name, company: to.company, mine: from.company }),
    text: lines.filter((line) => line !== '').join('\n\n'),
  }
}

const paragraph = (...sentences: string[]): string => sentences.filter((each) => each !== '').join(' ')

function sentence(words: string): string {
  return words === '' || ENDED.test(words) ? words : `${words}.`
}
