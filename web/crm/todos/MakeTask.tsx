import { ListPlus } from 'lucide-react'
import { Suspense } from 'react'
import type { Email } from '#contract/mail/email.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { taskTitle } from './mail-task.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const TodoDialog = lazyPart(() => import('./TodoDialog.tsx'), 'TodoDialog')

/** The button that creates a task from a mail: the dialog suggests a title and links the two. */
export function MakeTask({ mail }: { mail: Email }) {
  const dialog = useOpened<Email>()
  const { id, subject } = mail
  return (
    <>
      <IconButton
        label="Make this a task"
        icon={<ListPlus aria-hidden />}
        onClick={() => dialog.show(mail)}
      />
      <Suspense fallback={null}>
        {dialog.turn === 0 ? null : (
          <TodoDialog
            key={dialog.turn}
            {...dialog.props}
            todo={null}
            start={{ title: taskTitle(mail), contact: null, email: { id, subject, folder: 'inbox' } }}
          />
        )}
      </Suspense>
    </>
  )
}
