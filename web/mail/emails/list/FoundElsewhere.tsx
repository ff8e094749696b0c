import { useQueries } from '@tanstack/react-query'
import { emailReading } from '#contract/mail/email-reading.ts'
import { FOLDERS } from '#contract/mail/email.ts'
import { callPage } from '#web/platform/api/call.ts'
import { queryKeyOf, renewal, retryOnce } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { folderName } from '../mail/folders.ts'
import type { MailLocation } from '../page/page-location.ts'

/** For a search without results in this folder: the other folders that have some, with links. */
export function FoundElsewhere({ location }: { location: MailLocation }) {
  const { folder: here, search, mailbox, go } = location
  const timezone = useTimeZone()
  const others = FOLDERS.filter((folder) => folder !== here)
  const found = useQueries({
    queries: others.map((folder) => {
      const query = { folder, search, timezone, page_size: 1, ...(mailbox === null ? {} : { mailbox }) }
      return {
        queryKey: queryKeyOf(emailReading.list, 'page', { query }),
        queryFn: ({ signal }: { signal: AbortSignal }) => callPage(emailReading.list, { query, signal }),
        retry: retryOnce,
        refetchInterval: ({ state }: { state: { data: { notSearchable?: number } | undefined } }) =>
          renewal(state.data),
      }
    }),
  })
  if (found.some(({ isPending }) => isPending)) return null
  const elsewhere = others.flatMap((folder, index) => {
    const total = found[index]?.data?.total ?? 0
    return total > 0 ? [{ folder, total }] : []
  })
  // If some folders could not be searched, "nothing" would be a guess.
  if (elsewhere.length === 0 && found.some(({ isError }) => isError)) return null
  // Other folders may still have results while mails are not searchable yet; a note above the list says so.
  if (elsewhere.length === 0 && found.some(({ data }) => (data?.notSearchable ?? 0) > 0)) return null
  if (elsewhere.length === 0) return <p className="mt-3">Nothing in the other folders matches either.</p>
  return (
    <div className="mt-3">
      <p>Found in other folders:</p>
      <ul className="mt-2 flex flex-wrap justify-center gap-2">
        {elsewhere.map(({ folder, total }) => (
          <li key={folder}>
            <Button size="s" onClick={() => go({ folder, page: 1, filter: 'all', emailId: null })}>
              {folderName(folder)} {total.toLocaleString('en')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
