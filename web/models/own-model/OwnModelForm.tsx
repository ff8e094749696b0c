import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { aiUsage } from '#contract/models/ai-usage.ts'
import {
  MODEL_TEST_SECONDS,
  type ModelSettings,
  type ModelTest,
  ownModel,
} from '#contract/models/own-model.ts'
import { writing } from '#contract/mail/writing.ts'
import { showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useFollowing } from '#web/platform/api/use-following.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { PasswordInput } from '#web/platform/ui/PasswordInput.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { ModelField } from './ModelField.tsx'
import type { ModelEntries } from './model-entries.ts'
import { CircleAlert, CircleCheck } from 'lucide-react'

type Own = NonNullable<ModelSettings['own']>

const FIELDS = ['base_url', 'api_key', 'model'] as const
/** The test ends by itself before this. */
const TEST_TIMEOUT_MS = (MODEL_TEST_SECONDS + 15) * 1000

const entriesOf = (saved: Own | null): ModelEntries => ({
  base_url: saved?.base_url ?? '',
  api_key: '',
  model: saved?.model ?? '',
})

/** Address, key and model of a server of one's own; Test and Save. */
export function OwnModelForm({ saved, onClose }: { saved: Own | null; onClose: () => void }) {
  const form = useForm<ModelEntries>({ defaultValues: entriesOf(saved) })
  const { errors } = form.formState
  useFollowing(form, entriesOf, saved)
  const [fault, setFault] = useState<string | null>(null)
  const [result, setResult] = useState<ModelTest | null>(null)

  const save = useCommand(ownModel.save, {
    refreshes: [ownModel.get, aiUsage.get, writing.settings],
    onSuccess: ({ own }) => {
      form.reset(entriesOf(own), { keepFieldsRef: true })
      toast.success('AI model saved')
    },
    onError: (error) => setFault(showFieldErrors(form, error, FIELDS, 'Failed to save the AI model')),
  })
  const test = useCommand(ownModel.test, {
    onSuccess: setResult,
    onError: (error) => setFault(showFieldErrors(form, error, FIELDS, 'Failed to test the AI model')),
  })
  useEffect(() => {
    // Whoever has opened the form by its button goes on typing.
    if (saved === null) form.setFocus('base_url')
    // oxlint-disable-next-line react/exhaustive-deps -- only when it is opened
  }, [form])
  const begin = () => {
    setFault(null)
    setResult(null)
    form.clearErrors()
  }
  const plain = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const

  return (
    <form
      noValidate
      aria-label="Your own AI model"
      onSubmit={(event) => {
        event.preventDefault()
        begin()
        save.mutate({ body: form.getValues() })
      }}
      // What was tested is what stood here before.
      onChange={() => setResult(null)}
      className="flex flex-col gap-4"
    >
      <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2">
        <Field
          label="Address"
          error={errors.base_url?.message}
          help="Of any server that speaks OpenAI’s API: a service, Ollama, LM Studio, vLLM …"
          required
          className="md:col-span-2"
        >
          <TextInput
            {...form.register('base_url')}
            {...plain}
            inputMode="url"
            placeholder="https://api.example.com/v1"
          />
        </Field>
        <Field label="Key" error={errors.api_key?.message} help={keyHelp(saved, form.watch('base_url'))}>
          <PasswordInput
            {...form.register('api_key')}
            // The browser's saved password of this very site is not the key.
            autoComplete="new-password"
            placeholder={
              saved?.api_key_set === true && isSame(saved, form.watch('base_url')) ? '••••••••' : ''
            }
          />
        </Field>
        <ModelField form={form} />
      </div>
      <p className="max-w-prose text-sm text-ink-2">
        This server gets what the work needs: your questions, text of your emails, and names, companies and
        notes of your contacts. Choose one that you trust with them. A test sends nothing of yours.
      </p>
      {/* A test takes a while, so its end is announced. */}
      <output aria-label="Test of the model" className="block empty:-mt-4">
        {result === null ? null : <TestResults result={result} />}
      </output>
      <Alert>{fault}</Alert>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={save.isPending}
          busyLabel="Saving…"
          disabled={test.isPending}
        >
          Save
        </Button>
        <Button
          busy={test.isPending}
          busyLabel="Testing…"
          disabled={save.isPending}
          onClick={() => {
            begin()
            test.mutate({ body: form.getValues(), timeoutMs: TEST_TIMEOUT_MS })
          }}
        >
          Test
        </Button>
        {saved === null ? (
          <Button variant="plain" disabled={save.isPending} onClick={onClose}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  )
}

const isSame = (saved: Own, typed: string) => typed.trim().replace(/\/+$/, '') === saved.base_url

function keyHelp(saved: Own | null, typed: string): string {
  if (saved?.api_key_set !== true) return 'Leave empty if the server asks for none'
  return isSame(saved, typed)
    ? 'Saved – leave empty to keep it'
    : 'The saved key is only for the saved address. Enter the key of this server, if it asks for one.'
}

const NAMES: Record<ModelTest['checks'][number]['name'], string> = {
  answers: 'Answers',
  streams: 'Streams',
  calls_tools: 'Calls tools',
  keeps_to_json: 'Keeps to JSON',
}

/** What a model can do: yes or no for each, with the reason. */
function TestResults({ result: { checks } }: { result: ModelTest }) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line px-3">
      {checks.map(({ name, ok, detail }) => {
        const Icon = ok ? CircleCheck : CircleAlert
        return (
          <li key={name} className="flex items-start gap-2 py-2 text-sm">
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${ok ? 'text-green' : 'text-danger'}`} />
            <p className="grid min-w-0 flex-1 gap-x-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
              <span className="font-medium">
                {NAMES[name]}: {ok ? 'yes' : 'no'}
              </span>
              <span className="wrap-anywhere text-ink-2">{detail}</span>
            </p>
          </li>
        )
      })}
    </ul>
  )
}
