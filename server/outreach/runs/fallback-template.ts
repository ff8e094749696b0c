import type { Voice } from '../briefs/briefs.ts'
import { firstName } from '../../formats/mail-text/first-name.ts'

/** The recipient, as far as the contact tells. */
export type Recipient = { name: string; email: string; company: string; position: string; notes: string }

/** The sender. */
export type Sender = { name: string; company: string; role: string }

/** The sender, and how the sender's mails sound. */
export type Writer = Sender & { voice: Voice }

export type WrittenMail = { subject: string; text: string }

/**
 * The mail to send when no language model wrote one: greeting by first name, who writes, a line on their company or
 * position. Notes are the user's private words and never quoted. No placeholder is ever left unfilled.
 */
export function templateMail(to: Recipient, from: Sender): WrittenMail {
  const me = [from.name, [from.role, from.company].filter((part) => part !== '').join(' at ')].filter(
    (part) => part !== '',
  )
  const lines = [
    `${greeting(to)},`,
    '',
    `${introduction(from)} ${occasion(to)}`,
    '',
    aboutThem(to),
    '',
    'Would you have fifteen minutes this week or next for a short call? If somebody else is the right person to talk to, I would be grateful for a pointer.',
    '',
    'Kind regards,',
    ...me,
  ]
  return { subject: subjectFor(to, from), text: lines.join('\n') }
}

function greeting(to: Recipient): string {
  const name = firstName(to)
  return name === '' ? 'Hello' : `Hello ${name}`
}

function introduction(from: Sender): string {
  if (from.role !== '' && from.company !== '')
    return `my name is ${from.name}, ${from.role} at ${from.company}.`
  if (from.company !== '') return `my name is ${from.name}, I write to you from ${from.company}.`
  return `my name is ${from.name}.`
}

function occasion(to: Recipient): string {
  if (to.company !== '' && to.position !== '')
    return `I am getting in touch because of your work as ${to.position} at ${to.company}.`
  if (to.company !== '') return `I am getting in touch because of what you do at ${to.company}.`
  if (to.position !== '') return `I am getting in touch because of your work as ${to.position}.`
  return 'I am getting in touch because I believe that we could be useful to each other.'
}

function aboutThem(to: Recipient): string {
  if (to.company !== '')
    return `I would like to learn what matters most at ${to.company} at the moment, and where we could take work off your hands.`
  return 'I would like to learn what matters most to you at the moment, and where we could take work off your hands.'
}

function subjectFor(to: Recipient, from: Sender): string {
  const name = firstName(to)
  if (to.company !== '' && from.company !== '') return `${to.company} and ${from.company}`
  if (to.company !== '') return `A question about ${to.company}`
  if (name !== '') return `${name}, a short question`
  return 'A short question'
}
