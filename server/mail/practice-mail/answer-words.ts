import type { Manner } from './people.ts'

type Spoken = Exclude<Manner, 'bounce' | 'silent'>

/** Facts used in answers: first names, and the proposed day of a meeting. */
export type Facts = { sender: string; person: string; day: string }

type Words = (facts: Facts) => string

const signed =
  (greeting: (facts: Facts) => string) =>
  (words: string): Words =>
  (facts) => {
    const text = `${greeting(facts)}\n\n${words.replace('{day}', facts.day)}`
    return facts.person === '' ? text : `${text}\n\nBest regards\n${facts.person}`
  }
const greeted = signed(({ sender }) => (sender === '' ? 'Hello,' : `Hi ${sender},`))
const curt = signed(() => 'Hello,')

const WORDS: Record<Spoken, readonly Words[]> = {
  interested: [
    'thanks for reaching out, this sounds interesting. Please send me more information and your prices.',
    'good timing: we are interested in exactly this at the moment. Could you share a few more details with the team?',
    'sounds good to me. I would like to know more, and I have copied what you wrote to my colleague.',
  ].map(greeted),
  question: [
    'before I look at this properly: how long does it take to get started?',
    'I have a question. Does this work for a team of five, and what does it cost per month?',
    'one thing I could not see: where is our data kept, and who can read it?',
  ].map(greeted),
  meeting: [
    "let's talk about it. How about a call on {day} at 10:30?",
    'happy to have a quick chat. Could we schedule a call for {day} afternoon?',
    'I would like to meet. Are you free on {day}, any time after 2 pm?',
  ].map(greeted),
  not_interested: [
    'thank you for writing, but we are not interested at the moment.',
    'we already have a solution for this and are happy with it. No thanks.',
    'I appreciate the note. This is not a fit for us right now, so we will pass.',
  ].map(greeted),
  out_of_office: [
    ({ day, person }) =>
      `Thank you for your message.\n\nI am currently out of the office and will be back on ${day}. Your email is not forwarded; I will answer as soon as I am back.\n\n${person}`,
    ({ day, person }) =>
      `Hello,\n\nI am on leave until ${day} with no access to my email. I will get back to you after that.\n\n${person}`,
  ],
  unsubscribe: [
    'please remove me from your list.',
    'please stop sending me these emails. Unsubscribe, thank you.',
  ].map(curt),
}

/** What people write when the user has answered them: the conversation comes to a good end. */
const CLOSING = [
  'thank you for the quick answer, that helps. I will come back to you this week.',
  'perfect, thank you. That is all I needed for now.',
].map(greeted)

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
