import { type ReactNode, startTransition, Suspense, useCallback } from 'react'
import { DialogComing } from '#web/platform/ui/DialogComing.tsx'
import type { StartWriting, Writing } from './writing.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'

// Lists are read more often than mails are written, so this code is loaded only when the user writes.
const load = () => import('./WritingDialog.tsx')
const WritingDialog = lazyPart(load, 'WritingDialog')

/** Loads the code of the compose dialog. */
export const loadWriting = (): Promise<unknown> => Promise.all([load(), import('./ComposeDialog.tsx')])

/** Lets a page open the compose dialog: `start` opens it; the page renders `dialog`. */
export function useWriting(onScheduled: () => void): { start: StartWriting; dialog: ReactNode } {
  const { what: writing, turn, show, props } = useOpened<Writing>()
  const start: StartWriting = useCallback(
    (next) => {
      // The dialog takes long to render: the pressed key or button reacts first.
      startTransition(() => show(next))
    },
    [show],
  )
  const dialog =
    writing === null ? null : (
      <Suspense fallback={props.open ? <DialogComing onClose={props.onClose} /> : null} key={turn}>
        <WritingDialog
          {...props}
          writing={writing}
          onScheduled={onScheduled}
          onWrite={(mail) => start({ kind: 'draft', mail })}
        />
      </Suspense>
    )
  return { start, dialog }
}
