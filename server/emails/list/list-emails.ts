import { NOT_SEARCHABLE_MAX } from '#contract/email-reading.ts'
import { type Folder } from '#contract/emails.ts'
import { FALLBACK_ZONE, isTimeZone } from '#contract/values.ts'
import type { Context } from '../../context.ts'
import { type Filter, listedByIds, listIds, measureList } from './list-store.ts'
import { parseSearch, searchQuery } from './parse-search.ts'
import { countUnindexed, findEmails, FOUND_MAX } from './search-store.ts'
import type { ListedEmail } from '../messages/store.ts'

/** What a page of mails is asked by. */
export type ListInput = {
  folder: Folder
  filter: Filter
  mailboxId: number | null
  collapse: boolean
  search: string
  zone: string | undefined
  page: number
  pageSize: number
  /** The last mail of the page before: where this one goes on, however deep it is. */
  after: number | null
}

/** A page of mails. `more`: older ones hold the words as well; `pending`: so many are not searchable yet. */
export type EmailPage = { rows: ListedEmail[]; total: number; more: boolean; pending: number }

/** A page of a folder's mails, newest first, or of those found in it. */
export async function listEmails(context: Context, userId: number, input: ListInput): Promise<EmailPage> {
  return input.search.trim() === '' ? listFolder(context, userId, input) : search(context, userId, input)
}

async function listFolder({ db }: Context, userId: number, input: ListInput): Promise<EmailPage> {
  const { folder, filter, mailboxId } = input
  const collapse = input.collapse && folder === 'inbox' && filter === 'all' && mailboxId === null
  const { total, listing } = await measureList(db, userId, { folder, filter, mailboxId, collapse })
  const part = { limit: input.pageSize, offset: (input.page - 1) * input.pageSize, total }
  let ids = await listIds(db, userId, listing, { ...part, after: input.after })
  // The mail to go on from is not there any more: the page's number tells, too.
  if (ids.length === 0 && input.after !== null)
    ids = await listIds(db, userId, listing, { ...part, after: null })
  return { rows: await listedByIds(db, userId, ids, collapse), total, more: false, pending: 0 }
}

async function search({ db }: Context, userId: number, input: ListInput): Promise<EmailPage> {
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
