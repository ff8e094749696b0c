import { emailReading } from '#contract/email-reading.ts'
import { useLiveOpen } from '#web/api/live.ts'
import { useEndpoint } from '#web/api/queries.ts'

/** Without live events the figures are asked for this often. */
const POLL_MS = 15_000

/** The figures beside the folders: of the account that was picked, and of all of them. */
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
