import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { AI_CAP_MAX, AI_CAP_WRONG, aiUsage, type AiUsage } from '#contract/models/ai-usage.ts'
import { showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useFollowing } from '#web/platform/api/use-following.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'

type Cap = AiUsage['cap']
type Entries = { requests_a_day: string }

const entriesOf = ({ requests_a_day: cap }: Cap): Entries => ({
  requests_a_day: cap === null ? '' : `${cap}`,
})

/** How many AI requests a day the user allows himself. */
export function DailyLimit({ saved }: { saved: Cap }) {
  const form = useForm<Entries>({ defaultValues: entriesOf(saved) })
  const [fault, setFault] = useState<string | null>(null)
  useFollowing(form, entriesOf, saved)
  const save = useCommand(aiUsage.saveCap, {
    refreshes: [aiUsage.get],
    onSuccess: ({ cap }) => {
      form.reset(entriesOf(cap), { keepFieldsRef: true })
      toast.success(cap.requests_a_day === null ? 'Daily limit removed' : 'Daily limit saved')
    },
    onError: (error) =>
      setFault(showFieldErrors(form, error, ['requests_a_day'], 'Failed to save the daily limit')),
  })
  const submit = form.handleSubmit(({ requests_a_day: typed }) => {
    setFault(null)
    save.mutate({ body: { requests_a_day: typed.trim() === '' ? null : Number(typed) } })
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <Field
        label="AI requests a day at most"
        help="Your own limit. Empty means none. It also counts requests to a model of your own; beyond it, Wolfy can still answer by rules."
        error={form.formState.errors.requests_a_day?.message}
        className="max-w-140"
      >
        <TextInput
          {...form.register('requests_a_day', { validate: (typed) => isCap(typed) || AI_CAP_WRONG })}
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          placeholder="No limit"
          className="max-w-40"
        />
      </Field>
      <Alert>{fault}</Alert>
      <Button type="submit" busy={save.isPending} busyLabel="Saving…" className="self-start">
        Save limit
      </Button>
    </form>
  )
}

function isCap(typed: string): boolean {
  const text = typed.trim()
  return text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= AI_CAP_MAX)
}
