import { useState } from 'react'
import { aiUsage } from '#contract/models/ai-usage.ts'
import { ownModel } from '#contract/models/own-model.ts'
import { writing } from '#contract/mail/writing.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Removes the user's own model, after one question. */
export function RemoveModel({ model }: { model: string }) {
  const [asking, setAsking] = useState(false)
  const remove = useCommand(ownModel.remove, {
    refreshes: [ownModel.get, aiUsage.get, writing.settings],
    onSuccess: ({ house }) => {
      toast.success(
        house === null ? 'Your AI model is removed' : `Your AI model is removed. ${house} answers now.`,
      )
    },
  })
  return (
    <>
      <Button
        variant="plain"
        aria-label="Remove your AI model"
        onClick={() => {
          remove.reset()
          setAsking(true)
        }}
      >
        Remove
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${model}?`}
        action="Remove"
        danger
        busy={remove.isPending}
        error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to remove the AI model')}
        onConfirm={() => remove.mutate({})}
      >
        Howl forgets its address and its key. What it has written stays.
      </ConfirmDialog>
    </>
  )
}
