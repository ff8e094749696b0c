import {
  type Address,
  addressKey,
  isSendable,
  parseAddressList,
} from '../../../formats/mail-text/addresses.ts'
import { subjectLine } from '../../../formats/mail-text/compose.ts'
import { isSameDate, isSameText } from './sent-copies.ts'

/** How long after a change a draft is appended to the account's Drafts folder. */
const APPEND_AFTER_MS = 10_000

/** When a draft that changes now is to be appended to the account's Drafts folder. */
export function draftAppendTime(now: Date): Date {
  return new Date(now.getTime() + APPEND_AFTER_MS)
}

type Header = { date: Date; subject: string }
/** `files` and `recipients` as `filesLine` and {@link recipientsLine} have them. */
type DraftContent = { text: string; files: string; recipients: string }
type Line = string | readonly Address[]

/** The recipients of a draft, apart from how they are written; of a line, those that could be written into a mail. */
export function recipientsLine(to: Line, cc: Line, bcc: Line): string {
  return [to, cc, bcc].map((line) => keysOf(line).join(' ')).join('\n')
}

function keysOf(line: Line): string[] {
  const addresses = typeof line === 'string' ? parseAddressList(line) : line
  const keys = addresses.flatMap(({ address }) => (isSendable(address) ? [addressKey(address)] : []))
  return [...new Set(keys)].toSorted()
}

/** Whether a copy may be of the draft's newest version: each version has its own Date. */
export function mayBeVersion(copy: Header, draft: Header): boolean {
  return isSameDate(copy.date, draft.date) && subjectLine(copy.subject) === subjectLine(draft.subject)
}

/** Whether two drafts say the same to the same people, however a server has encoded them. */
export function isSameContent(one: DraftContent, other: DraftContent): boolean {
  return isSameText(one.text, other.text) && one.files === other.files && one.recipients === other.recipients
}
