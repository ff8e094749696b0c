import { type ReactNode, startTransition, Suspense, useCallback, useState } from 'react'
import { DialogComing } from '#web/platform/ui/DialogComing.tsx'
import type { StartWriting, Writing } from './writing.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

// Lists are read more often than mails are written, so this code is loaded only when the user writes.
const load = () => import('./WritingDialog.tsx')
const WritingDialog = lazyPart(load, 'WritingDialog')

/** Loads the code of the compose dialog. */
export const loadWriting = (): Promise<unknown> => Promise.all([load(), import('./ComposeDialog.tsx')])

/** Lets a page open the compose dialog: `start` opens it; the page renders `dialog`. */
export function useWriting(onScheduled: () => void): { start: StartWriting; dialog: ReactNode } {
  const [now, setNow] = useState<{ writing: Writing; open: boolean; turn: number } | null>(null)
  const start: StartWriting = useCallback((writing) => {
    // The dialog takes long to render: the pressed key or button reacts first.
    startTransition(() => setNow((last) => ({ writing, open: true, turn: (last?.turn ?? 0) + 1 })))
  }, [])
  const close = () => setNow((last) => last && { ...last, open: false })
  const dialog =
    now === null ? null : (
      <Suspense fallback={now.open ? <DialogComing onClose={close} /> : null} key={now.turn}>
        <WritingDialog
          writing={now.writing}
          open={now.open}
          onClose={close}
          onScheduled={onScheduled}
          onWrite={(mail) => start({ kind: 'draft', mail })}
        />
      </Suspense>
    )
  return { start, dialog }
}
