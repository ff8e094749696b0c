import * as z from 'zod/mini'
import { folder } from '#contract/mail/email.ts'
import { SEARCH_MAX } from '#contract/mail/email-reading.ts'
import { shownSender } from '#contract/formats/shown-sender.ts'
import { id, line } from '#contract/platform/values.ts'
import { listEmails, type ListedEmail, listThread, readBody } from '../../mail/emails/emails.ts'
import { runMailTask } from '../../formats/mail-tasks/run-mail-task.ts'
import { emailSource } from './sources.ts'
import { shownText, shownWords, timeWords } from './shown-words.ts'
import { type Asking, type Fact, type Found, readingTool, ROWS_MAX, ROWS_USUAL } from './tool.ts'

/** Mails of a conversation that are read, and characters of each. */
const THREAD_MAX = 12
const TEXT_MAX = 1500
const SNIPPET_MAX = 140
/** Texts are cut before quotes are looked for. */
const READ_MAX = 60_000

export const findEmails = readingTool({
  name: 'find_emails',
  topics: ['mail', 'contacts'],
  summary:
    'Mails of a folder, newest first; search takes words and from:, to:, subject:, is:unread, has:attachment, before:2026-01-31, after:',
  input: z.object({
    folder: z.optional(folder),
    search: z.optional(line(SEARCH_MAX)),
    only: z.optional(z.enum(['unread', 'starred', 'attachments'])),
    limit: z.optional(z.number().check(z.int(), z.gte(1), z.lte(ROWS_MAX))),
  }),
  run: async (asking, given) =>
    mailFacts(asking, {
      folder: given.folder ?? 'inbox',
      search: given.search ?? '',
      only: given.only ?? 'all',
      limit: given.limit ?? ROWS_USUAL,
    }),
})

export const readConversation = readingTool({
  name: 'read_conversation',
  topics: ['mail'],
  summary:
    'What was written in the conversation that a mail belongs to, without quotes and signatures, oldest first',
  input: z.object({ email_id: id }),
  run: async (asking, { email_id }) => conversation(asking, email_id),
})

/** A page of mails as facts. */
export async function mailFacts(
  asking: Asking,
  asked: {
    folder: z.output<typeof folder>
    search: string
    only: 'all' | 'unread' | 'starred' | 'attachments'
    limit: number
  },
): Promise<Found> {
  const { rows, total } = await pageOfMails(asking, asked)
  return { facts: rows.map((row) => mailFact(asking, row)), total }
}

/** The rows behind {@link mailFacts}. */
export async function pageOfMails(asking: Asking, asked: Parameters<typeof mailFacts>[1]) {
  return listEmails(asking.context, asking.user.id, {
    folder: asked.folder,
    filter: asked.only,
    mailboxId: null,
    collapse: false,
    search: asked.search,
    zone: asking.user.timeZone,
    page: 1,
    pageSize: asked.limit,
    after: null,
  })
}

/** @throws Refusal 404 */
export async function conversation(asking: Asking, emailId: number): Promise<Found> {
  const { context, user } = asking
  const { rows } = await listThread(context.db, user.id, emailId)
  const read = rows.slice(-THREAD_MAX)
  const facts: Fact[] = []
  for (const row of read) {
    const words = await seenWordsOf(asking, row)
    facts.push({
      text: `${writerOf(row)} wrote on ${timeWords(row.occurred_at, context.clock.now(), user.timeZone)}:\n${shownText(words, TEXT_MAX) || '(nothing)'}`,
      source: emailSource(row),
    })
  }
  return { facts, total: rows.length }
}

/** What a person sees who opens the mail: its HTML where it has any, whatever its plain text says. */
async function seenWordsOf({ context, user }: Asking, row: ListedEmail): Promise<string> {
  try {
    const body = await readBody(context.db, user.id, row.id)
    if (body?.html != null) return await runMailTask({ userId: user.id }, 'seenNewWords', body.html)
    return await runMailTask({ userId: user.id }, 'newWords', (body?.text ?? row.snippet).slice(0, READ_MAX))
  } catch {
    return row.snippet
  }
}

/** Who wrote a mail, as screens and answers say it. */
export function writerOf(row: ListedEmail): string {
  if (row.direction === 'out') return 'You'
  const name = row.from_name || row.contact_name || ''
  return shownWords(shownSender({ from: row.from_address, from_name: name, from_line: row.from_line }), 80)
}

export function mailFact({ context, user }: Asking, row: ListedEmail): Fact {
  const other =
    row.direction === 'out'
      ? `to ${shownWords(row.contact_name || row.to_line, 80)}`
      : `from ${writerOf(row)}`
  const subject = shownWords(row.subject, 100) || '(no subject)'
  const snippet = shownWords(row.snippet, SNIPPET_MAX)
  const when = timeWords(row.occurred_at, context.clock.now(), user.timeZone)
  return {
    text: `**${subject}** ${other}, ${when}${row.direction === 'in' && !row.is_read ? ', unread' : ''}${snippet === '' ? '' : `: “${snippet}”`}`,
    source: emailSource(row),
  }
}
