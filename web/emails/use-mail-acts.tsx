import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { MailAction } from '#contract/email-actions.ts'
import type { Email } from '#contract/emails.ts'
import { NETWORK_ERROR } from '#web/api/errors.ts'
import { toast } from '#web/ui/toast.ts'
import type { ActDesk } from './act-with-words.ts'
import { asksFirst, moves } from './mail-acts.ts'
import type { Progress } from './run-act.ts'

// Nothing is done before there is a list: how it is done follows while that is looked at.
export const loadActs = () => import('./act-with-words.ts')
const AskFirst = lazy(() => import('./AskFirst.tsx').then((part) => ({ default: part.AskFirst })))

export type MailActs = {
  /** Does something with mails, after a question where one is due. */
  act: (act: MailAction, mails: readonly Email[]) => void
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
export function useMailActs(onLeave: (act: MailAction, mails: readonly Email[]) => void): MailActs {
  const client = useQueryClient()
  const [asking, setAsking] = useState<Asking>({ about: null, wanted: false })
  const [progress, setProgress] = useState<Progress | null>(null)
  const desk = useRef<ActDesk>({ client, history: [], onProgress: setProgress })

  const withActs = (use: (acts: Awaited<ReturnType<typeof loadActs>>) => void) => {
    loadActs().then(use, () => toast.error(NETWORK_ERROR))
  }
  const begin = (act: MailAction, mails: readonly Email[]) =>
    withActs(({ actWithWords }) => {
      if (moves(act) || act === 'unread') onLeave(act, mails)
      void actWithWords(desk.current, act, mails)
    })
  return {
    act: (act, mails) => {
      if (mails.length === 0) return
      if (asksFirst(act)) setAsking({ about: { act, mails }, wanted: true })
      else begin(act, mails)
    },
    undo: () => withActs(({ takeBackLast }) => takeBackLast(desk.current)),
    progress,
    dialog: asking.wanted ? (
      <Suspense fallback={null}>
        <AskFirst
          asking={asking.about}
          onClose={() => setAsking({ about: null, wanted: true })}
          onConfirm={(act, mails) => {
            setAsking({ about: null, wanted: true })
            begin(act, mails)
          }}
        />
      </Suspense>
    ) : null,
  }
}
