import type { Manner } from './people.ts'

type Spoken = Exclude<Manner, 'bounce' | 'silent'>

/** Facts used in answers: first names, and the proposed day of a meeting. */
export type Facts = { sender: string; person: string; day: string }

type Words = (facts: Facts) => string

const signed = (words: string, { person }: Facts) =>
  person === '' ? words : `${words}\n\nBest regards\n${person}`
const hello = ({ sender }: Facts) => (sender === '' ? 'Hello,' : `Hi ${sender},`)

const WORDS: Record<Spoken, readonly Words[]> = {
  interested: [
    (facts) =>
      signed(
        `${hello(facts)}\n\nthanks for reaching out, this sounds interesting. Please send me more information and your prices.`,
        facts,
      ),
    (facts) =>
      signed(
        `${hello(facts)}\n\ngood timing: we are interested in exactly this at the moment. Could you share a few more details with the team?`,
        facts,
      ),
    (facts) =>
      signed(
        `${hello(facts)}\n\nsounds good to me. I would like to know more, and I have copied what you wrote to my colleague.`,
        facts,
      ),
  ],
  question: [
    (facts) =>
      signed(
        `${hello(facts)}\n\nbefore I look at this properly: how long does it take to get started?`,
        facts,
      ),
    (facts) =>
      signed(
        `${hello(facts)}\n\nI have a question. Does this work for a team of five, and what does it cost per month?`,
        facts,
      ),
    (facts) =>
      signed(
        `${hello(facts)}\n\none thing I could not see: where is our data kept, and who can read it?`,
        facts,
      ),
  ],
  meeting: [
    (facts) =>
      signed(`${hello(facts)}\n\nlet's talk about it. How about a call on ${facts.day} at 10:30?`, facts),
    (facts) =>
      signed(
        `${hello(facts)}\n\nhappy to have a quick chat. Could we schedule a call for ${facts.day} afternoon?`,
        facts,
      ),
    (facts) =>
      signed(
        `${hello(facts)}\n\nI would like to meet. Are you free on ${facts.day}, any time after 2 pm?`,
        facts,
      ),
  ],
  not_interested: [
    (facts) =>
      signed(`${hello(facts)}\n\nthank you for writing, but we are not interested at the moment.`, facts),
    (facts) =>
      signed(
        `${hello(facts)}\n\nwe already have a solution for this and are happy with it. No thanks.`,
        facts,
      ),
    (facts) =>
      signed(
        `${hello(facts)}\n\nI appreciate the note. This is not a fit for us right now, so we will pass.`,
        facts,
      ),
  ],
  out_of_office: [
    (facts) =>
      `Thank you for your message.\n\nI am currently out of the office and will be back on ${facts.day}. Your email is not forwarded; I will answer as soon as I am back.\n\n${facts.person}`,
    (facts) =>
      `Hello,\n\nI am on leave until ${facts.day} with no access to my email. I will get back to you after that.\n\n${facts.person}`,
  ],
  unsubscribe: [
    (facts) => signed(`Hello,\n\nplease remove me from your list.`, facts),
    (facts) => signed(`Hello,\n\nplease stop sending me these emails. Unsubscribe, thank you.`, facts),
  ],
}

/** What people write when the user has answered them: the conversation comes to a good end. */
const CLOSING: readonly Words[] = [
  (facts) =>
    signed(
      `${hello(facts)}\n\nthank you for the quick answer, that helps. I will come back to you this week.`,
      facts,
    ),
  (facts) => signed(`${hello(facts)}\n\nperfect, thank you. That is all I needed for now.`, facts),
]

/** What the person writes; `pick` selects a variant. */
export function answerWords(manner: Spoken, facts: Facts, pick: number): string {
  return oneOf(WORDS[manner], pick)(facts)
}

export function closingWords(facts: Facts, pick: number): string {
  return oneOf(CLOSING, pick)(facts)
}

function oneOf(variants: readonly Words[], pick: number): Words {
  return variants[pick % variants.length] as Words
}
