import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Audience } from '#contract/crm/contacts.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '#web/platform/api/call.ts'
import type { ApiError } from '#web/platform/api/errors.ts'
import { queryKeyOf, refresh, retryOnce, useEndpoint } from '#web/platform/api/queries.ts'
import { clearToken } from '#web/platform/api/token.ts'
import { sendersOf } from '#web/mail/compose/sender.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { announceEnd } from './run-end.ts'
import { runFailureOf } from './run-failure.ts'
import { askedSpread } from './plan.ts'
import { keepRun } from './use-current-run.ts'
import { askedTemplate, type WrittenFrom } from './written-from.ts'

/** Counting the contacts of a long list takes a while. */
const TIMEOUT_MS = 60_000

export type AudienceEstimate = ReplyOf<typeof outreach.estimateAudience>

/** What a run to an audience would do, with the choices that change it, and its start. */
export function useWriteToThese(audience: Audience, open: boolean, first: WrittenFrom) {
  const client = useQueryClient()
  const [again, setAgain] = useState(false)
  const [from, setFrom] = useState(first)
  const [chosen, setChosen] = useState<number | null>(null)
  const [spread, setSpread] = useState<boolean>()
  const { data: accounts } = useEndpoint(mailboxes.accounts)
  const { data: settings } = useEndpoint(mailboxes.get)
  const inUse = accounts?.find(({ primary, connected }) => primary && connected)
  const account = accounts?.find(({ id }) => id === chosen) ?? inUse
  const asked = {
    audience,
    write_again: again,
    ...(chosen === null ? {} : { mailbox_id: chosen }),
    ...askedTemplate(from),
  }
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery<AudienceEstimate, ApiError>({
    queryKey: queryKeyOf(outreach.estimateAudience, 'reply', { query: asked }),
    queryFn: ({ signal }) => call(outreach.estimateAudience, { body: asked, signal, timeoutMs: TIMEOUT_MS }),
    placeholderData: keepPreviousData,
    // Who was mailed changes by the minute: what was counted for an earlier dialog is not shown.
    gcTime: 0,
    enabled: open,
    retry: retryOnce,
  })
  const host = account !== undefined && account.id === inUse?.id ? (settings?.smtp_host ?? '') : ''
  const mailbox = account === undefined ? null : { ...account, host }

  const plan =
    data === undefined
      ? null
      : {
          estimate: data,
          mailbox,
          senders: sendersOf(accounts ?? [], null),
          from,
          ...(spread === undefined ? {} : { spread }),
        }

  const start = async (estimate: AudienceEstimate) => {
    try {
      const body = {
        audience,
        write_again: again,
        expected: estimate.contacts,
        ...askedTemplate(from),
        ...(plan === null ? {} : askedSpread(plan)),
        // The account that was shown, whichever is in use by then.
        ...(mailbox === null ? {} : { mailbox_id: mailbox.id }),
      }
      const batch = await call(outreach.generateAndSend, { body, timeoutMs: TIMEOUT_MS })
      keepRun(client, batch)
      if (batch.done) announceEnd(batch)
    } catch (failure) {
      // The answer may be lost although the run has started: then its progress shows.
      void refresh(client, outreach.current)
      const { sentence, next } = runFailureOf(failure, location.origin)
      toast.error(sentence)
      if (next === 'leave') clearToken()
    }
  }

  return {
    again,
    setAgain,
    /** The account that was chosen; null: the one in use. */
    chosen,
    choose: (mailboxId: number) => {
      setChosen(mailboxId)
      // How the emails go was chosen for the other address.
      setSpread(undefined)
    },
    setSpread,
    writeFrom: setFrom,
    estimate: data,
    error,
    /** Counts anew: a first mail was changed, or its contact left out. */
    recount: () => void refetch(),
    counting: isFetching && (data === undefined || isPlaceholderData),
    plan,
    start,
  }
}
