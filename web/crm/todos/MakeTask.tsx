import { ListPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Email } from '#contract/mail/email.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { taskTitle } from './mail-task.ts'

const TodoDialog = lazy(() => import('./TodoDialog.tsx').then((part) => ({ default: part.TodoDialog })))

/** The button that creates a task from a mail: the dialog suggests a title and links the two. */
export function MakeTask({ mail }: { mail: Email }) {
  const [dialog, setDialog] = useState<{ open: boolean; turn: number }>({ open: false, turn: 0 })
  const { id, subject } = mail
  return (
    <>
      <IconButton
        label="Make this a task"
        icon={<ListPlus aria-hidden />}
        onClick={() => setDialog(({ turn }) => ({ open: true, turn: turn + 1 }))}
      />
      <Suspense fallback={null}>
        {dialog.turn === 0 ? null : (
          <TodoDialog
            key={dialog.turn}
            open={dialog.open}
            onClose={() => setDialog((last) => ({ ...last, open: false }))}
            todo={null}
            start={{ title: taskTitle(mail), contact: null, email: { id, subject, folder: 'inbox' } }}
          />
        )}
      </Suspense>
    </>
  )
}
