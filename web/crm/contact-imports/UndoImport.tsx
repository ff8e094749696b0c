import { useQuery, useQueryClient } from '@tanstack/react-query'
import { contactImports, type ImportUndo } from '#contract/crm/contact-imports.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { call } from '#web/platform/api/call.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { IMPORT_TIMEOUT_MS } from './use-import.ts'

type UndoImportProps = { id: number; open: boolean; onClose: () => void; onUndone: () => void }

/** Says what undoing an import will do, and does it. */
export function UndoImport({ id, open, onClose, onUndone }: UndoImportProps) {
  const client = useQueryClient()
  const plan = useQuery<ImportUndo, ApiError>({
    queryKey: ['undo of import', id],
    queryFn: ({ signal }) =>
      call(contactImports.undoPlan, { params: { id }, signal, timeoutMs: IMPORT_TIMEOUT_MS }),
    enabled: open,
    gcTime: 0,
    retry: false,
  })
  const undo = useCommand(contactImports.undo, {
    onSuccess: ({ message }) => {
      void refresh(client, contacts.list)
      void refresh(client, contactImports.list)
      toast.success(message)
      onUndone()
    },
  })
  const error = undo.error ?? plan.error
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Undo this import?"
      action="Undo import"
      danger
      isWorkedOut={!plan.isPending}
      busy={undo.isPending}
      error={error === null ? null : sentenceOf(error, 'Failed to undo the import')}
      onConfirm={() => undo.mutate({ params: { id }, timeoutMs: IMPORT_TIMEOUT_MS })}
    >
      {plan.data?.message ?? 'Checking what this will change…'}
    </ConfirmDialog>
  )
}
