import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MailAction } from '#contract/email-actions.ts'
import type { Email } from '#contract/emails.ts'
import { NETWORK_ERROR } from '#web/api/errors.ts'
import { toast } from '#web/ui/toast.ts'
import type { ActionContext } from './perform-action.ts'
import { asksFirst, moves } from '../mail/mail-actions.ts'
import type { Progress } from './send-action.ts'

// Nothing is done before there is a list: how it is done follows while that is looked at.
export const loadActions = () => import('./perform-action.ts')
const AskFirst = lazy(() => import('./ConfirmAction.tsx').then((part) => ({ default: part.ConfirmAction })))

export type ActOnMails = {
  /** Does something with mails, after a question where one is due. */
  act: (act: MailAction, mails: readonly Email[]) => void
}

export type MailActionsHandle = ActOnMails & {
  /** Takes back what was done last. */
  undo: () => void
  /** How far an act on very many mails has come. */
  progress: Progress | null
  /** Stands somewhere in the page. */
  dialog: ReactNode
}

/** `wanted` from the first question on. */
type Asking = { about: { act: MailAction; mails: readonly Email[] } | null; wanted: boolean }

/** Acts on mails with their words, their Undo and their questions. `onLeave` hears of mails before they are gone. */
export function useMailActions(
  onLeave: (act: MailAction, mails: readonly Email[]) => void,
): MailActionsHandle {
  const client = useQueryClient()
  const [asking, setAsking] = useState<Asking>({ about: null, wanted: false })
  const [progress, setProgress] = useState<Progress | null>(null)
  const latest = useRef(onLeave)
  useLayoutEffect(() => {
    latest.current = onLeave
  })
  // The same from one drawing to the next: whoever has a button of these need not be drawn anew.
  const { begin, act, undo } = useMemo(() => {
    const desk: ActionContext = { client, history: [], onProgress: setProgress }
    const beginNow: ActOnMails['act'] = (what, mails) =>
      withActs(({ performAction }) => {
        if (moves(what) || what === 'unread') latest.current(what, mails)
        void performAction(desk, what, mails)
      })
    const ask: ActOnMails['act'] = (what, mails) => {
      if (mails.length === 0) return
      if (asksFirst(what)) setAsking({ about: { act: what, mails }, wanted: true })
      else beginNow(what, mails)
    }
    return {
      begin: beginNow,
      act: ask,
      undo: () => withActs(({ takeBackLast }) => takeBackLast(desk)),
    }
  }, [client])
  return {
    act,
    undo,
    progress,
    dialog: asking.wanted ? (
      <Suspense fallback={null}>
        <AskFirst
          asking={asking.about}
          onClose={() => setAsking({ about: null, wanted: true })}
          onConfirm={(what, mails) => {
            setAsking({ about: null, wanted: true })
            begin(what, mails)
          }}
        />
      </Suspense>
    ) : null,
  }
}

function withActs(use: (acts: Awaited<ReturnType<typeof loadActions>>) => void): void {
  loadActions().then(use, () => toast.error(NETWORK_ERROR))
}
