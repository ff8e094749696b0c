import { leaving, MAIL_WAITS } from '#contract/operations/leaving.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'

/** What is shown in place of a time at which mail leaves while all mail of the user is paused; null: it is not. */
export function useMailWait(): string | null {
  const { data } = useEndpoint(leaving.mailPause, { staleTime: Infinity })
  return data === undefined || data.paused_at === null ? null : MAIL_WAITS
}
