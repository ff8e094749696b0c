import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Email } from '#contract/mail/emails.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import type { MailLocation } from '../page/page-location.ts'
import type { RowContext } from './MailRow.tsx'
import { areReports } from '../mail/are-reports.ts'
import { prefetchMail } from '../mail/prefetch-mail.ts'
import type { MailActionCommands } from '../actions/use-mail-actions.tsx'
import type { Selection } from '../page/use-selection.ts'

/** A pointer that rests on a row for this long is likely to open it. */
const LOOK_MS = 80
/** What the address of the inbox needs to list the reports. */
const REPORTS = '&filter=reports'
const TOUCH = window.matchMedia('(hover: none)').matches

type RowContextProps = {
  location: MailLocation
  now: Date
  actions: MailActionCommands
  selection: Selection
  rows: readonly Email[]
}

/** The context shared by all rows; it changes with the minute and the list, not with actions. */
export function useRowContext(props: RowContextProps): RowContext {
  const client = useQueryClient()
  const timeZone = useTimeZone()
  const { now, location } = props
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const base = location.to({ emailId: null })
  const looking = useRef<ReturnType<typeof setTimeout>>(undefined)
  // A list that is left by key tells of no pointer that leaves.
  useEffect(() => () => clearTimeout(looking.current), [])
  return useMemo(
    () => ({
      now,
      timeZone,
      touch: TOUCH,
      addressOf: (mail) => base + (areReports(mail) ? REPORTS : `&email=${mail.id}`),
      open: (mail) => {
        const { go, emailId } = latest.current.location
        if (areReports(mail)) go({ filter: 'reports', page: 1 })
        else go({ emailId: mail.id }, { replace: emailId !== null })
      },
      perform: (action, mails) => latest.current.actions.perform(action, mails),
      toggle: (mail, isRange) => {
        const { selection, rows } = latest.current
        selection.toggle(mail, isRange ? rows : undefined)
      },
      onLookAt: (id) => {
        clearTimeout(looking.current)
        looking.current = setTimeout(() => prefetchMail(client, id), LOOK_MS)
      },
      onLookAway: () => clearTimeout(looking.current),
    }),
    [now, timeZone, base, client],
  )
}
