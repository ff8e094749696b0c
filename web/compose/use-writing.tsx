import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { StartWriting, Writing } from './writing.ts'

// A list is read more often than it is answered: nothing of this is needed before somebody writes.
const WritingDialog = lazy(() =>
  import('./WritingDialog.tsx').then((part) => ({ default: part.WritingDialog })),
)

/** The way to write on a page: `start` opens it, `dialog` stands somewhere in the page. */
export function useWriting(onScheduled: () => void): { start: StartWriting; dialog: ReactNode } {
  const [now, setNow] = useState<{ writing: Writing; open: boolean; turn: number } | null>(null)
  const start: StartWriting = (writing) => setNow({ writing, open: true, turn: (now?.turn ?? 0) + 1 })
  const close = () => setNow((last) => last && { ...last, open: false })
  const dialog =
    now === null ? null : (
      <Suspense fallback={null} key={now.turn}>
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
