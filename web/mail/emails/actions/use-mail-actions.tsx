import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MailAction } from '#contract/mail/email-actions.ts'
import type { Email } from '#contract/mail/emails.ts'
import { NETWORK_ERROR } from '#web/platform/api/errors.ts'
import { toast } from '#web/platform/ui/toast.ts'
import type { ActionContext } from './perform-action.ts'
import { asksFirst, moves } from '../mail/mail-actions.ts'
import type { Progress } from './send-action.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'

// Actions need a list first, so their code loads while the user looks at it.
export const loadActions = () => import('./perform-action.ts')
const AskFirst = lazyPart(() => import('./ConfirmAction.tsx'), 'ConfirmAction')

export type MailActionCommands = {
  /** Performs an action, after asking for confirmation if necessary. */
  perform: (action: MailAction, mails: readonly Email[]) => void
}

export type MailActionsHandle = MailActionCommands & {
  /** Undoes the last action. */
  undo: () => void
  /** The progress of an action on very many mails. */
  progress: Progress | null
  /** The confirmation dialog; the page renders it. */
  dialog: ReactNode
}

/** Actions on mails with their messages, Undo and confirmations. `onLeave` is called before mails disappear from the list. */
export function useMailActions(
  onLeave: (action: MailAction, mails: readonly Email[]) => void,
): MailActionsHandle {
  const client = useQueryClient()
  const { what: asked, show, props } = useOpened<{ action: MailAction; mails: readonly Email[] }>()
  const [progress, setProgress] = useState<Progress | null>(null)
  const latest = useRef(onLeave)
  useLayoutEffect(() => {
    latest.current = onLeave
  })
  // These functions keep their identity, so that memoized buttons do not rerender.
  const { begin, perform, undo } = useMemo(() => {
    const context: ActionContext = { client, history: [], onProgress: setProgress }
    const beginNow: MailActionCommands['perform'] = (what, mails) =>
      withActions(({ performAction }) => {
        if (moves(what) || what === 'unread') latest.current(what, mails)
        void performAction(context, what, mails)
      })
    const ask: MailActionCommands['perform'] = (what, mails) => {
      if (mails.length === 0) return
      if (asksFirst(what)) show({ action: what, mails })
      else beginNow(what, mails)
    }
    return {
      begin: beginNow,
      perform: ask,
      undo: () => withActions(({ takeBackLast }) => takeBackLast(context)),
    }
  }, [client, show])
  return {
    perform,
    undo,
    progress,
    dialog:
      asked === null ? null : (
        <Suspense fallback={null}>
          <AskFirst
            {...props}
            {...asked}
            onConfirm={() => {
              props.onClose()
              begin(asked.action, asked.mails)
            }}
          />
        </Suspense>
      ),
  }
}

function withActions(use: (actions: Awaited<ReturnType<typeof loadActions>>) => void): void {
  loadActions().then(use, () => toast.error(NETWORK_ERROR))
}
