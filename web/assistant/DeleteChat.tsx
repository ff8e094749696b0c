import { assistant, type ChatSession } from '#contract/assistant/assistant.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Asks for confirmation, then deletes a conversation. */
export function DeleteChat(props: {
  open: boolean
  onClose: () => void
  session: ChatSession
  onDeleted: (id: number) => void
}) {
  const { open, onClose, session, onDeleted } = props
  const remove = useCommand(assistant.removeSession, {
    refreshes: [assistant.sessions],
    onSuccess: () => {
      toast.success('Chat deleted')
      onDeleted(session.id)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete “${session.title}”?`}
      action="Delete"
      danger
      busy={remove.isPending}
      error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to delete the chat')}
      onConfirm={() => remove.mutate({ params: { id: session.id } })}
    >
      What was said in it will be deleted. What you approved in it stays done; other proposals are dropped.
    </ConfirmDialog>
  )
}
