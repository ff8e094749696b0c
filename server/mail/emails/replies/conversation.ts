import { isOwnName, shownMailbox } from '#contract/formats/shown-sender.ts'
import type { Context } from '../../../platform/context.ts'
import { shownText, shownWords } from '../../../formats/mail-text/shown-words.ts'
import { runMailTask } from '../../../formats/mail-tasks/run-mail-task.ts'
import { listThread } from '../list/list-thread.ts'
import { findBodyRow, type ListedEmail } from '../messages/store.ts'

/** Mails of a conversation that a language model is shown, characters of each, and of all together. */
const MAILS_MAX = 10
const MAIL_MAX = 3000
const ALL_MAX = 9000
/** Texts are cut before quotes are looked for. */
const READ_MAX = 60_000
const NAME_MAX = 80
const SUBJECT_MAX = 200
const FOLDERS = new Set(['inbox', 'sent', 'archived'])

/** One mail of a conversation: what its writer added, without quotes, signature and what nobody sees. */
export type WrittenMail = {
  emailId: number | null
  isOwn: boolean
  writer: string
  at: Date
  subject: string
  words: string
}

/** A mail that is only known by its text. */
export async function givenMail(
  userId: number,
  { text, subject, at }: { text: string; subject: string; at: Date },
): Promise<WrittenMail> {
  const words = shownText(await newWordsOf(userId, text), MAIL_MAX)
  return { emailId: null, isOwn: false, writer: '', at, subject: shownWords(subject, SUBJECT_MAX), words }
}

/**
 * The conversation of a stored mail: that mail first, then the others from the newest on. Drafts, spam, trash, reports and
 * automatic mail are left out.
 */
export async function readConversation(
  context: Context,
  userId: number,
  emailId: number,
): Promise<WrittenMail[]> {
  const { rows } = await listThread(context.db, userId, emailId)
  const others = rows.filter(
    ({ id, folder, kind }) => id !== emailId && FOLDERS.has(folder) && kind === 'personal',
  )
  const chosen = [...rows.filter(({ id }) => id === emailId), ...others.toReversed()].slice(0, MAILS_MAX)
  const mails: WrittenMail[] = []
  let left = ALL_MAX
  for (const row of chosen) {
    if (left <= 0) break
    const text = (await findBodyRow(context.db, userId, row.id))?.text ?? row.snippet
    const words = shownText(await newWordsOf(userId, text), Math.min(MAIL_MAX, left))
    left -= words.length
    if (words !== '' || row.id === emailId) mails.push({ ...headOf(row), words })
  }
  return mails
}

function headOf(row: ListedEmail): Omit<WrittenMail, 'words'> {
  const isOwn = row.direction === 'out'
  return {
    emailId: row.id,
    isOwn,
    writer: isOwn ? 'You' : shownWords(writerOf(row), NAME_MAX),
    at: row.occurred_at,
    subject: shownWords(row.subject, SUBJECT_MAX),
  }
}

function writerOf({ from_name: name, from_address: address, contact_name: contact }: ListedEmail): string {
  return isOwnName({ name, address }) ? name : contact || shownMailbox({ name, address })
}

/** A mail that is too hostile to be read in full is not shown to a model. */
async function newWordsOf(userId: number, text: string): Promise<string> {
  return runMailTask({ userId }, 'newWords', text.slice(0, READ_MAX)).catch(() => '')
}
