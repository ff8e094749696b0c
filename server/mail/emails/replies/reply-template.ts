import type { Intent } from '#contract/mail/emails.ts'

/** The sender: the name goes under the mail, role and company below it. */
export type Sender = { name: string; company: string; role: string }

/** What a reply is written from. */
export type ReplyFacts = {
  intent: Intent
  /** First name of the recipient; may be empty. */
  name: string
  sender: Sender
  /** Proposed meeting times, as text; the first is kept free. */
  slots: readonly string[]
  /** Their time zone. */
  zone: string
}

const BODIES: Record<Exclude<Intent, 'meeting_request'>, string> = {
  interested:
    'thank you for your reply, I am glad that this is of interest to you.\n\nI will gather what matters for you and send it over shortly. If there is something that you would like to know first, just write back, and I will start with that.',
  not_interested:
    'thank you for letting me know, I appreciate the clear answer.\n\nI will not follow up on this. Should anything change on your side, you are welcome to write to me at any time.',
  question:
    'thank you for your message and your question.\n\nI am looking into it and will come back to you with a full answer shortly. If there is a date by which you need it, please tell me.',
  out_of_office:
    'thank you for your message.\n\nI will get in touch again once you are back. Nothing is urgent until then.',
  unsubscribe:
    'thank you for letting me know.\n\nI will not write to you about this again. I apologise for the inconvenience.',
  other:
    'thank you for your message.\n\nI have read it and will come back to you shortly. If anything is urgent, please tell me.',
}

/** The reply when no language model wrote one: ready to send, without placeholders. */
export function replyFromTemplate({ intent, name, sender, slots, zone }: ReplyFacts): string {
  const body = intent === 'meeting_request' ? meetingBody(slots, zone) : BODIES[intent]
  return signed(`${greeting(name)},\n\n${body}`, sender)
}

/** A follow-up to a mail without a reply; a first mail when `subject` is null. */
export function followUpFromTemplate(facts: {
  name: string
  sender: Sender
  subject: string | null
  ago: string | null
}): string {
  const { name, sender, subject, ago } = facts
  const body =
    subject === null
      ? 'I wanted to get in touch with you and hear whether we could be useful to each other.\n\nWould you have a few minutes this week or next for a short call? A line is enough, and I will make myself available.'
      : `I wanted to come back to my mail${subject === '' ? '' : ` “${subject}”`}${ago === null ? '' : ` of ${ago}`}. I know how full an inbox gets, so I hope that it is all right to ask again.\n\nIs this of interest to you? A short “yes” or “not now” is enough, and I will act on it.`
  return signed(`${greeting(name)},\n\n${body}`, sender)
}

function meetingBody([first, ...others]: readonly string[], zone: string): string {
  if (first === undefined)
    return 'thank you for your message. I would be glad to talk.\n\nPlease tell me two or three times that suit you, and I will make one of them work.'
  const also = others.length === 0 ? '' : ` ${others.join(' or ')} would suit me as well.`
  return `thank you for your message. I would be glad to talk.\n\nHow about ${first} (${zone})? I have kept that time free.${also} If another time suits you better, just tell me, and I will make it work.`
}

const greeting = (name: string) => (name === '' ? 'Hello' : `Hello ${name}`)

function signed(text: string, { name, role, company }: Sender): string {
  const under = [role, company].filter((part) => part !== '').join(' at ')
  return [text, '', 'Kind regards,', name, ...(under === '' ? [] : [under])].join('\n')
}
