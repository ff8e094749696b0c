import { subjectLine } from '../../../formats/mail-text/compose.ts'

/** Where a provider writes the Date of its copy itself, it is about that of sending; clocks differ by this at most. */
const CLOCKS_APART_MS = 5 * 60_000
/** A Date header has no fractions of a second. */
const SAME_DATE_MS = 1000

/** Pictures within the text are not compared. */
type WrittenFile = { name: string; inline: boolean }

/** A mail that was written here. It left at `leftAt`, or some time before. */
export type WrittenMail = {
  emailId: number
  messageId: string
  correspondentKey: string
  subject: string
  text: string
  writtenAt: Date
  leftAt: Date
  files: readonly WrittenFile[]
  /** It is known where it is on the server. */
  hasCopy?: boolean
}

/** A mail in a Sent folder; its text and the names of its files are null while they are not known. */
export type SentCopy = {
  messageId: string | null
  originalMessageId: string | null
  correspondentKey: string
  subject: string
  date: Date
  text: string | null
  fileNames: readonly string[] | null
}

/** Whether both dates are the same Date header. */
export function isSameDate(one: Date, other: Date): boolean {
  return Math.abs(one.getTime() - other.getTime()) <= SAME_DATE_MS
}

/**
 * The mail that the provider filed as this copy under another Message-ID: it says so, or recipient, subject, time, text
 * and files agree. Of a mail that has a copy already, another one also has its Date: the same words may have been sent
 * again from a phone. Of several, one without a copy, the nearest in time. Without a text, what may be it.
 */
export function mailOfCopy<Mail extends WrittenMail>(
  copy: SentCopy,
  mails: readonly Mail[],
): Mail | undefined {
  const { messageId, originalMessageId } = copy
  const named = mails.find((mail) => [messageId, originalMessageId].includes(mail.messageId))
  if (named !== undefined || originalMessageId !== null) return named
  const apart = ({ writtenAt }: WrittenMail) => Math.abs(writtenAt.getTime() - copy.date.getTime())
  return mails
    .filter((mail) => agrees(copy, mail))
    .sort((a, b) => Number(a.hasCopy ?? false) - Number(b.hasCopy ?? false) || apart(a) - apart(b))[0]
}

function agrees(copy: SentCopy, mail: WrittenMail): boolean {
  const at = copy.date.getTime()
  return (
    copy.correspondentKey === mail.correspondentKey &&
    subjectLine(copy.subject) === subjectLine(mail.subject) &&
    at >= mail.writtenAt.getTime() - CLOCKS_APART_MS &&
    at <= Math.max(mail.writtenAt.getTime(), mail.leftAt.getTime()) + CLOCKS_APART_MS &&
    (mail.hasCopy !== true || isSameDate(copy.date, mail.writtenAt)) &&
    (copy.text === null || isSameText(copy.text, mail.text)) &&
    (copy.fileNames === null || isSameNames(copy.fileNames, mail.files))
  )
}

function isSameNames(names: readonly string[], files: readonly WrittenFile[]): boolean {
  const sorted = (some: readonly string[]) => some.map((name) => name.normalize('NFC')).toSorted()
  return JSON.stringify(sorted(names)) === JSON.stringify(sorted(attachedNames(files)))
}

/** The names of files that are attached, and not shown within the text. */
export const attachedNames = (files: readonly WrittenFile[]): string[] =>
  files.filter(({ inline }) => !inline).map(({ name }) => name)

/** Whether two texts have the same words: a server may wrap, encode and space them in another way. */
export function isSameText(one: string, other: string): boolean {
  return withoutSpacing(one) === withoutSpacing(other)
}

function withoutSpacing(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{N}]+/gu, '')
}
