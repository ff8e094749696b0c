import { emailReading } from '#contract/mail/email-reading.ts'
import { useLiveOpen } from '#web/platform/api/live.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'

/** The counts are polled this often while there are no live events. */
const POLL_MS = 15_000

/** The counts beside the folders: of the selected account, and of all accounts. */
export function useCounts(mailbox: number | null) {
  const refetchInterval = useLiveOpen() ? false : POLL_MS
  const all = useEndpoint(emailReading.counts, { refetchInterval }).data
  const { data: own } = useEndpoint(emailReading.counts, {
    ...(mailbox === null ? {} : { query: { mailbox } }),
    enabled: mailbox !== null,
    refetchInterval,
  })
  return { all, shown: mailbox === null ? all : own }
}
