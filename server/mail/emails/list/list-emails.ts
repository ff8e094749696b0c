import { NOT_SEARCHABLE_MAX } from '#contract/mail/email-reading.ts'
import { type Folder } from '#contract/mail/emails.ts'
import { FALLBACK_ZONE, isTimeZone } from '#contract/platform/values.ts'
import type { Context } from '../../../platform/context.ts'
import { type Filter, listedByIds, listIds, measureList } from './list-store.ts'
import { parseSearch, searchQuery } from './parse-search.ts'
import { countUnindexed, findEmails, FOUND_MAX } from './search-store.ts'
import { type ContactNames, namesForRows } from '../messages/recipient-names.ts'
import type { ListedEmail } from '../messages/store.ts'

/** The request for a page of mails. */
export type ListInput = {
  folder: Folder
  filter: Filter
  mailboxId: number | null
  collapse: boolean
  search: string
  zone: string | undefined
  page: number
  pageSize: number
  /** The last mail of the previous page: this page continues after it, at any depth. */
  after: number | null
}

/**
 * A page of mails, with the contact names of their recipients. `more`: the search matches older mails as well; `pending`:
 * how many mails are not searchable yet.
 */
export type EmailPage = MailRows & { names: ContactNames }

type MailRows = { rows: ListedEmail[]; total: number; more: boolean; pending: number }

/** A page of a folder's mails, newest first, or of those that a search finds in it. */
export async function listEmails(context: Context, userId: number, input: ListInput): Promise<EmailPage> {
  const page = await (input.search.trim() === '' ? listFolder : search)(context, userId, input)
  return { ...page, names: await namesForRows(context.db, userId, page.rows) }
}

async function listFolder({ db }: Context, userId: number, input: ListInput): Promise<MailRows> {
  const { folder, filter, mailboxId } = input
  const collapse = input.collapse && folder === 'inbox' && filter === 'all' && mailboxId === null
  const { total, listing } = await measureList(db, userId, { folder, filter, mailboxId, collapse })
  const range = { limit: input.pageSize, offset: (input.page - 1) * input.pageSize, total }
  let ids = await listIds(db, userId, listing, { ...range, after: input.after })
  // The mail to continue after is gone: use the page number instead.
  if (ids.length === 0 && input.after !== null)
    ids = await listIds(db, userId, listing, { ...range, after: null })
  return { rows: await listedByIds(db, userId, ids, collapse), total, more: false, pending: 0 }
}

async function search({ db }: Context, userId: number, input: ListInput): Promise<MailRows> {
  const zone = input.zone !== undefined && isTimeZone(input.zone) ? input.zone : FALLBACK_ZONE
  const parsed = parseSearch(input.search, zone)
  const [found, pending] = await Promise.all([
    findEmails(db, userId, {
      folder: parsed.folder ?? input.folder,
      filter: input.filter,
      mailboxId: input.mailboxId,
      search: parsed,
      tsquery: searchQuery(userId, parsed),
    }),
    countUnindexed(db, userId, NOT_SEARCHABLE_MAX),
  ])
  const ids = found.slice(0, FOUND_MAX)
  const offset = (input.page - 1) * input.pageSize
  const rows = await listedByIds(db, userId, ids.slice(offset, offset + input.pageSize))
  return { rows, total: ids.length, more: found.length > ids.length, pending }
}
