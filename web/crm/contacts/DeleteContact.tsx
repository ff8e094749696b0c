import { type Contact, contacts } from '#contract/crm/contacts.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useUndo } from './use-bulk-actions.ts'

/** Asks for confirmation, then deletes the contact. */
export function DeleteContact(props: {
  open: boolean
  onClose: () => void
  contact: Contact
  onDeleted?: () => void
}) {
  const { open, onClose, contact, onDeleted } = props
  const undoable = useUndo()
  const remove = useCommand(contacts.remove, {
    refreshes: [contacts.list],
    onSuccess: ({ undo_id: id }) => {
      const undo = async () => (await call(contacts.undoMany, { params: { id: id ?? 0 } })).restored
      toast.success('Contact deleted', id === null ? {} : { undo: undoable(undo) })
      onClose()
      onDeleted?.()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${contact.name}?`}
      action="Delete"
      danger
      busy={remove.isPending}
      error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to delete contact')}
      onConfirm={() => remove.mutate({ params: { id: contact.id } })}
    >
      {contact.email}, your notes and tags will be deleted. Emails and meetings with this person stay.
    </ConfirmDialog>
  )
}
