import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ownModel } from '#contract/models/own-model.ts'
import { showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import type { ModelEntries } from './model-entries.ts'

/** The value of the entry that leads back to typing. */
const OTHER = '\n'

/** The model's name: typed, or chosen from those of the server. */
export function ModelField({ form }: { form: UseFormReturn<ModelEntries> }) {
  /** The models of `of`; null while the name is typed. */
  const [listed, setListed] = useState<{ of: string; models: string[] } | null>(null)
  const [detail, setDetail] = useState<string | null>(null)
  const address = form.watch('base_url')
  const model = form.watch('model')
  const list = useCommand(ownModel.models, {
    onSuccess: ({ models, detail: why }, { body }) => {
      setDetail(why)
      if (models.length === 0) return
      setListed({ of: body?.base_url ?? '', models })
      const [only] = models
      if (models.length === 1 && only !== undefined && form.getValues('model') === '')
        form.setValue('model', only, { shouldDirty: true })
    },
    onError: (error) =>
      setDetail(showFieldErrors(form, error, ['base_url', 'api_key'], 'Failed to list the models')),
  })
  // Another server has other models.
  const choices = listed !== null && listed.of === address ? listed.models : null
  return (
    <Field
      label="Model"
      error={form.formState.errors.model?.message}
      help={detail ?? (choices === null ? undefined : `${choices.length} on this server`)}
      required
    >
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          {choices === null ? (
            <TextInput
              {...form.register('model')}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              placeholder="llama3.2"
            />
          ) : (
            <Select
              value={choices.includes(model) ? model : ''}
              onChange={(event) => {
                const { value } = event.target
                if (value === OTHER) setListed(null)
                else form.setValue('model', value, { shouldDirty: true })
                form.clearErrors('model')
              }}
              options={[
                ...(choices.includes(model) ? [] : [{ value: '', label: 'Choose a model', disabled: true }]),
                ...choices.map((value) => ({ value, label: value })),
                { value: OTHER, label: 'Enter another name…' },
              ]}
            />
          )}
        </div>
        <Button
          busy={list.isPending}
          onClick={() => {
            setDetail(null)
            form.clearErrors()
            const { base_url, api_key } = form.getValues()
            list.mutate({ body: { base_url, api_key } })
          }}
        >
          Show models
        </Button>
      </div>
    </Field>
  )
}
