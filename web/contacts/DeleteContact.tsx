import { type Contact, contacts } from '#contract/contacts.ts'
import { sentenceOf } from '#web/api/errors.ts'
import { useCommand } from '#web/api/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { toast } from '#web/ui/toast.ts'

/** Asks once, then deletes. */
export function DeleteContact(props: { open: boolean; onClose: () => void; contact: Contact }) {
  const { open, onClose, contact } = props
  const remove = useCommand(contacts.remove, {
    refreshes: [contacts.list],
    onSuccess: () => {
      toast.success('Contact deleted')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${contact.name}?`}
      act="Delete"
      danger
      busy={remove.isPending}
      error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to delete contact')}
      onConfirm={() => remove.mutate({ params: { id: contact.id } })}
    >
      {contact.email} and your notes will be gone. Emails with this person stay.
    </ConfirmDialog>
  )
}
