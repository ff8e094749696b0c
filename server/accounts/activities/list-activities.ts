import {
  type activities,
  type Activity,
  ACTIVITY_LABELS,
  type ActivityType,
} from '#contract/accounts/activities.ts'
import type { Given, GivenReply, QueryOf } from '#contract/platform/endpoint.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { listActivities, type ListedActivity, userNamed } from './list-store.ts'

type ListQuery = QueryOf<typeof activities.list>

/** Words of a search; further ones are not looked for. */
const WORDS_MAX = 6
const OUR_WORDS = [
  ...new Set(Object.values(ACTIVITY_LABELS).flatMap((label) => wordsOf(label.toLowerCase()))),
].sort()
/** What is shown for a row without its personal part. */
const ERASED = 'Erased with its account'

/** One page of the activity log, newest first. */
export async function pageOfActivities(
  context: Pick<Context, 'db'>,
  query: ListQuery,
): Promise<GivenReply<typeof activities.list>> {
  const { limit, page } = query
  const search = (query.search ?? '').toLowerCase()
  return inTransaction(context.db, async (tx) => {
    // A name says which user is meant; his rows need not have it in their words.
    const named = search === '' ? undefined : await userNamed(tx, search)
    if (named !== undefined && query.user_id !== undefined && query.user_id !== named)
      return { activities: [], has_more: false }
    const rows = await listActivities(
      tx,
      {
        userId: query.user_id ?? named ?? null,
        type: query.type ?? null,
        words: named === undefined ? searchedWords(search) : [],
        minRisk: query.min_risk ?? 0,
        from: query.from === undefined ? null : new Date(query.from),
        to: query.to === undefined ? null : new Date(query.to),
      },
      { limit: limit + 1, offset: (page - 1) * limit },
    )
    return { activities: rows.slice(0, limit).map(present), has_more: rows.length > limit }
  })
}

/** The words of a search, an IP address as one of them; the beginning of one of our own words stands for all that begin so. */
function searchedWords(search: string): string[][] {
  return search
    .split(/\s+/)
    .flatMap((part) => (isAddress(part) ? [part.replace(/\.$/, '')] : wordsOf(part)))
    .slice(0, WORDS_MAX)
    .map((word) => [word, ...OUR_WORDS.filter((own) => own !== word && own.startsWith(word))])
}

/** An IPv4 address or its first two or three numbers, or an IPv6 address. */
function isAddress(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){1,3}\.?$/.test(text) || /^[\da-f:.]*:[\da-f:.]*:[\da-f:.]*$/.test(text)
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? []
}

const present = (row: ListedActivity): Given<Activity> => ({
  ...row,
  // Written by ourselves, from the same list.
  activity_type: row.activity_type as ActivityType,
  description: row.erased_at === null ? row.description : ERASED,
})
