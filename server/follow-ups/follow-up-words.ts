/** The sender: the name goes under the mail, role and company below it. */
export type Sender = { name: string; role: string; company: string }

/** What a follow-up is written from. */
export type FollowUpFacts = {
  /** First name of the recipient; may be empty. */
  name: string
  sender: Sender
  /** The mail that was not answered. */
  subject: string
  /** Its day, "3 November". */
  ago: string
  /** Which one it is: 1 to 3. */
  number: number
}

/** A follow-up when no language model wrote one: each has its own words, and is shorter than the one before. */
export function followUpText({ name, sender, subject, ago, number }: FollowUpFacts): string {
  const greeting = name === '' ? 'Hello' : `Hello ${name}`
  const mail = `my mail${subject === '' ? '' : ` “${subject}”`} of ${ago}`
  const body =
    number === 1
      ? `I wanted to come back to ${mail}. I know how full an inbox gets, so I hope that it is all right to ask again.\n\nIs this of interest to you? A short “yes” or “not now” is enough, and I will act on it.`
      : number === 2
        ? 'a short question about my last mail: is the time just not right? Tell me when it suits you better, or who else I should ask, and I will do that.'
        : 'this is the last time that I ask. Should it be of interest later, just answer this mail.'
  const under = [sender.role, sender.company].filter((part) => part !== '').join(' at ')
  return [`${greeting},`, '', body, '', 'Kind regards,', sender.name, ...(under === '' ? [] : [under])].join(
    '\n',
  )
}
