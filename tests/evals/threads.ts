import type { Intent } from '#contract/mail/emails.ts'

type Said = { by: 'us' | 'them'; text: string }
/** A conversation. The last mail is the one that counts; it quotes the one before it, which may say something else. */
export type Thread = { mails: readonly Said[]; intent: Intent }

const us = (text: string): Said => ({ by: 'us', text })
const them = (text: string): Said => ({ by: 'them', text })

// What stands above a last mail, chosen so that its words mislead whoever reads the quote.
const OFFER = us(
  'Hello, we cater for offices. Are you interested? Could we have a call next Tuesday at 10? To get no more mail, answer with unsubscribe.',
)
const NUDGE = us('Did you see my mail? What do you think? I am out of office on Friday.')
const PRICE = us('It is 99 a month. Shall we schedule a meeting? If you are not interested, tell me.')
const SENT = us('Here are the details. Do you have any question?')
const YES = them('Sounds great, we are interested. Please send the details.')
const NO = them('No thanks, we are not interested.')
const ASKS = them('What does it cost per month?')
const MEETS = them('Can we have a call on Thursday at 3pm?')
const AWAY = them('I am out of office until Monday with limited access to email.')

const ends = (intent: Intent, last: string, ...before: Said[]): Thread => ({
  mails: [...before, them(last)],
  intent,
})

/** Forty conversations of two to four mails, and what the writer of the last one wants. */
export const THREADS: readonly Thread[] = [
  ends('interested', 'Sounds great, please send me the details.', OFFER),
  ends('interested', 'Yes, we would love to try this. What do you need from us?', OFFER, NO, PRICE),
  ends('interested', 'This looks interesting. Can you send over some more information?', OFFER, NUDGE),
  ends('interested', 'Count me in!', OFFER, ASKS, PRICE),
  ends('interested', 'I am interested. Please send the price list.', OFFER, AWAY, NUDGE),
  ends('interested', 'We are keen to move forward with your offer.', OFFER, MEETS, PRICE),
  ends('not_interested', 'No thanks, we are not interested.', OFFER),
  ends(
    'not_interested',
    'Thank you, but we already have a supplier and are happy with them.',
    OFFER,
    YES,
    SENT,
  ),
  ends('not_interested', 'Not a fit for us at the moment.', OFFER, ASKS, PRICE),
  ends('not_interested', 'We have decided to go with somebody else.', OFFER, YES, PRICE),
  ends('not_interested', 'Please do not take this personally, but this is nothing for us.', OFFER, NUDGE),
  ends('not_interested', 'We have no budget for this this year.', OFFER, MEETS, PRICE),
  ends('meeting_request', 'Could we have a call next Tuesday at 10?', OFFER, NO, PRICE),
  ends('meeting_request', 'Are you free for a quick chat on Thursday?', OFFER, YES, SENT),
  ends('meeting_request', 'Let us meet next week. How about Monday at 3pm?', OFFER),
  ends('meeting_request', 'Can we schedule a demo?', OFFER, ASKS, PRICE),
  ends('meeting_request', 'I would like to set up a meeting with you and my colleague.', OFFER, NUDGE),
  ends('meeting_request', 'Please book a slot in my calendar for Friday.', OFFER, AWAY, NUDGE),
  ends('question', 'What does it cost per month?', OFFER),
  ends('question', 'Do you deliver to Austria?', OFFER, YES, SENT),
  ends('question', 'How long does the setup take?', OFFER, MEETS, PRICE),
  ends('question', 'Which sizes do you have?', OFFER, NO, PRICE),
  ends('question', 'Is there a discount for non-profits?', OFFER, ASKS, PRICE),
  ends('question', 'Who is your contact for technical questions?', OFFER, NUDGE),
  ends('out_of_office', 'I am out of office until Monday with limited access to email.', OFFER),
  ends('out_of_office', 'Thank you for your message. I am on parental leave until March.', OFFER, YES, SENT),
  ends('out_of_office', 'I am on holiday and will be back on 3 August.', OFFER, ASKS, PRICE),
  ends('out_of_office', 'I am currently travelling and will reply when I return.', OFFER, MEETS, PRICE),
  ends('out_of_office', 'Our office is closed until 2 January.', OFFER, NUDGE),
  ends('out_of_office', 'Automatic reply: I am away this week.', OFFER, NO, PRICE),
  ends('unsubscribe', 'Please unsubscribe me from this list.', OFFER, NUDGE),
  ends('unsubscribe', 'Take me off your mailing list.', OFFER, YES, SENT),
  ends('unsubscribe', 'Stop emailing me.', OFFER, ASKS, PRICE),
  ends('unsubscribe', 'Remove my address from your database.', OFFER),
  ends('unsubscribe', 'Please do not contact me again.', OFFER, NO, PRICE),
  ends('unsubscribe', 'UNSUBSCRIBE', OFFER, AWAY, NUDGE),
  ends('other', 'The package has arrived.', OFFER, YES, SENT),
  ends('other', 'Thanks!', OFFER, ASKS, PRICE),
  ends('other', 'I have forwarded this to my colleague.', OFFER),
  ends('other', 'Happy new year to you too.', OFFER, NO, NUDGE),
]

/** The last mail as it arrives: with the one before it quoted, in one of the ways of mail programs. */
export function lastMail({ mails }: Thread, number: number): string {
  const last = mails.at(-1)?.text ?? ''
  const quoted = mails.at(-2)?.text ?? ''
  const ways = [
    `${last}\n\nOn Mon, 11 Jan 2027 at 09:12, Ada Muster <ada@muster.example> wrote:\n> ${quoted}\n`,
    `${last}\n\n-----Original Message-----\nFrom: Ada Muster <ada@muster.example>\nSent: Monday, 11 January 2027 09:12\nTo: Bea <bea@bea.example>\nSubject: Catering\n\n${quoted}\n`,
    `${last}\n\n________________________________\nFrom: Ada Muster\nSent: Monday, 11 January 2027\nSubject: Catering\n\n${quoted}\n`,
    `${last}\n\nAm 11.01.2027 um 09:12 schrieb Ada Muster:\n\n> ${quoted}\n`,
  ]
  return ways[number % ways.length] ?? last
}
