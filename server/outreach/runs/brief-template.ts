import type { BriefFields } from '#contract/outreach/briefs.ts'
import { firstName } from '../../formats/mail-text/first-name.ts'
import { closingOf, PHRASES, type Sender } from '../briefs/briefs.ts'
import type { Recipient, WrittenMail } from './fallback-template.ts'

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
