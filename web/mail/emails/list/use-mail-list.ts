import { useMemo, useState } from 'react'
import type { Email } from '#contract/mail/email.ts'
import { emailReading } from '#contract/mail/email-reading.ts'
import { useLiveOpen } from '#web/platform/api/live.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { type HeldPage, holdStill } from './held-page.ts'
import type { MailLocation } from '../page/page-location.ts'
import { pageWithPending, useOptimisticActions } from '../actions/optimistic-actions.ts'

/** The list is polled this often while there are no live events. */
const POLL_MS = 15_000

/** The mails to show for a location: pending actions are applied, and the page being read does not shift. */
export function useMailList(location: MailLocation, pageSize: number, enabled: boolean) {
  const timeZone = useTimeZone()
  const { page } = location
  const asked = askedFor(location, pageSize, timeZone)
  const live = useLiveOpen()
  const result = usePage(emailReading.list, {
    query: asked,
    enabled,
    refetchInterval: live ? false : POLL_MS,
  })
  const pending = useOptimisticActions()
  const { data } = result
  const fresh = useMemo(() => data && pageWithPending(data, pending), [data, pending])
  const held = useHeld(JSON.stringify(asked), fresh, {
    still: page > 1 && pending.size === 0,
    // While another page loads, the rows shown belong to no location.
    isOther: result.isPlaceholderData,
  })
  return { ...result, asked, shown: held?.page, news: held?.news ?? false }
}

/** The query for one page of a location. */
function askedFor(location: MailLocation, pageSize: number, timeZone: string) {
  const { folder, search, filter, mailbox, page } = location
  return {
    folder,
    page,
    page_size: pageSize,
    timezone: timeZone,
    ...(search === '' ? {} : { search }),
    ...(filter === 'all' ? {} : { filter }),
    ...(mailbox === null ? {} : { mailbox }),
    ...(folder === 'inbox' ? { collapse: 'true' as const } : {}),
  }
}
export type Asked = ReturnType<typeof askedFor>

type Page = { rows: Email[]; total: number }

function useHeld(
  key: string,
  fresh: Page | undefined,
  { still, isOther }: { still: boolean; isOther: boolean },
): HeldPage | undefined {
  const [kept, setKept] = useState<Kept>({ key, isOther, seen: undefined, held: undefined })
  const isSame = key === kept.key && isOther === kept.isOther
  if (isSame && fresh === kept.seen) return kept.held
  const before = isSame ? kept.held : undefined
  const held = fresh && (isOther ? { page: fresh, news: false } : holdStill(before, fresh, still))
  setKept({ key, isOther, seen: fresh, held })
  return held
}

type Kept = { key: string; isOther: boolean; seen: Page | undefined; held: HeldPage | undefined }
