import { useEffect, useEffectEvent, useState } from 'react'
import { type Control, type FieldErrors, useForm, type UseFormRegister, useWatch } from 'react-hook-form'
import {
  type Brief,
  BRIEF_MAX,
  briefFields,
  type BriefFields,
  briefs,
  MAIL_LANGUAGES,
  type Tone,
} from '#contract/outreach/briefs.ts'
import { formResolver, showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useFollowing } from '#web/platform/api/use-following.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { EarlierVersions } from './EarlierVersions.tsx'
import { Example } from './Example.tsx'
import { LeaveQuestion } from './LeaveQuestion.tsx'

const TONE_WORDS: Record<Tone, string> = { friendly: 'Friendly', plain: 'Plain', formal: 'Formal' }
const TONE_OPTIONS = Object.entries(TONE_WORDS).map(([value, label]) => ({ value, label }))
const LANGUAGE_OPTIONS = MAIL_LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))
const FIELDS = ['offer', 'audience', 'benefit', 'proof', 'ask', 'tone', 'language', 'signature'] as const

type Form = {
  register: UseFormRegister<BriefFields>
  control: Control<BriefFields, unknown, BriefFields>
  errors: FieldErrors<BriefFields>
}

/** The form with the example beside it, and what it said before. `versions`: newest first, empty at first. */
export function AboutYouForm({ versions }: { versions: readonly Brief[] }) {
  const saved = versions[0] ?? null
  const userId = useSession().user?.id ?? 0
  const [fault, setFault] = useState<string | null>(null)
  const form = useForm<BriefFields, unknown, BriefFields>({
    defaultValues: entriesOf(saved),
    resolver: formResolver(briefFields),
  })
  const { formState, control } = form
  const { isDirty, errors } = formState
  const entries = useWatch({ control }) as BriefFields
  useFollowing(form, entriesOf, saved)
  useUnsaved(userId, isDirty ? entries : null, (kept) => {
    for (const field of FIELDS) form.setValue(field, kept[field], { shouldDirty: true })
  })
  const save = useCommand(briefs.save, {
    refreshes: [briefs.versions, briefs.get],
    onSuccess: (now) => {
      form.reset(entriesOf(now), { keepFieldsRef: true })
      toast.success('Saved. Your next emails are written from it.')
    },
    onError: (error) => setFault(showFieldErrors(form, error, FIELDS, 'Failed to save')),
  })
  const submit = form.handleSubmit((body) => {
    setFault(null)
    save.mutate({ body })
  })
  // Whoever leaves discards at once: the form stays while the next page loads, and for good if they turn back meanwhile.
  const discard = () => {
    setFault(null)
    form.reset(entriesOf(saved), { keepFieldsRef: true })
  }
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <Card title="About you">
        <p className="mb-5 max-w-prose text-ink-2">
          Say once what your first emails are about. Write as you would in an email; only the first field is
          needed.
        </p>
        <form
          noValidate
          aria-label="About you"
          onSubmit={(event) => void submit(event)}
          className="flex flex-col gap-5"
        >
          <Words register={form.register} control={control} errors={errors} />
          <Manner register={form.register} control={control} errors={errors} />
          <Alert>{fault}</Alert>
          <div className="flex flex-wrap gap-2">
            <Button
              type="submit"
              variant="primary"
              busy={save.isPending}
              busyLabel="Saving…"
              disabled={!isDirty}
            >
              Save
            </Button>
            {isDirty ? (
              <Button disabled={save.isPending} onClick={discard}>
                Discard changes
              </Button>
            ) : null}
          </div>
        </form>
      </Card>
      <div className="grid gap-5 lg:sticky lg:top-5">
        <Example entries={entries} />
        <EarlierVersions
          versions={versions.slice(1)}
          disabled={isDirty || save.isPending}
          onUse={(version) => save.mutate({ body: entriesOf(version) })}
        />
      </div>
      <LeaveQuestion isUnsaved={isDirty} onLeave={discard} />
    </div>
  )
}

/** Keeps what is not saved for whoever leaves by a way that is not asked about, and brings it back. */
function useUnsaved(
  userId: number,
  unsaved: BriefFields | null,
  bringBack: (entries: BriefFields) => void,
): void {
  const begin = useEffectEvent(() => {
    const kept = takeUnsaved(userId)
    if (kept !== null) bringBack(kept)
  })
  const end = useEffectEvent(() => keepUnsaved(userId, unsaved))
  useEffect(() => {
    begin()
    return () => end()
  }, [])
}

/** What is said. */
function Words({ register, control, errors }: Form) {
  return (
    <>
      <Field
        label="What you offer"
        required
        error={errors.offer?.message}
        help="One or two whole sentences: “We look after the gardens of restaurants and hotels, all year round.”"
        aside={<Count control={control} name="offer" />}
      >
        <TextArea {...register('offer')} maxLength={BRIEF_MAX.offer} dir="auto" />
      </Field>
      <Field
        label="Who it is for"
        error={errors.audience?.message}
        help="Goes on after “It is for”: “houses with a terrace”"
      >
        <TextInput {...register('audience')} maxLength={BRIEF_MAX.audience} autoComplete="off" />
      </Field>
      <Field
        label="What the reader gets"
        error={errors.benefit?.message}
        help="For example: “Your guests sit in the green from April on.”"
        aside={<Count control={control} name="benefit" />}
      >
        <TextArea {...register('benefit')} maxLength={BRIEF_MAX.benefit} dir="auto" />
      </Field>
      <Field
        label="Proof"
        error={errors.proof?.message}
        help="A customer, a number, a year: “Hotel Sonne has worked with us since 2019.”"
        aside={<Count control={control} name="proof" />}
      >
        <TextArea {...register('proof')} maxLength={BRIEF_MAX.proof} dir="auto" />
      </Field>
      <Field
        label="What to ask for"
        error={errors.ask?.message}
        help="One small question: “May I come by and look at your terrace?” Left empty, your email asks for a short call."
      >
        <TextInput {...register('ask')} maxLength={BRIEF_MAX.ask} autoComplete="off" />
      </Field>
    </>
  )
}

/** How it is said. */
function Manner({ register, control, errors }: Form) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Tone" error={errors.tone?.message}>
          <Select {...register('tone')} options={TONE_OPTIONS} />
        </Field>
        <Field
          label="Language"
          error={errors.language?.message}
          help="Write the fields above in this language too. Greetings follow it."
        >
          <Select {...register('language')} options={LANGUAGE_OPTIONS} />
        </Field>
      </div>
      <Field
        label="Signature"
        error={errors.signature?.message}
        help="Stands below every first email. Left empty: your name, role and company."
        aside={<Count control={control} name="signature" />}
      >
        <TextArea {...register('signature')} maxLength={BRIEF_MAX.signature} dir="auto" rows={3} />
      </Field>
    </>
  )
}

/** How many characters are left, once that matters. */
function Count({ control, name }: Pick<Form, 'control'> & { name: keyof typeof BRIEF_MAX }) {
  const words = useWatch({ control, name })
  const left = BRIEF_MAX[name] - words.length
  return left > 80 ? null : <span className="tabular-nums">{left} left</span>
}

/** The form's values: those of the saved brief, or none. */
function entriesOf(saved: Brief | null): BriefFields {
  if (saved === null)
    return {
      offer: '',
      audience: '',
      benefit: '',
      proof: '',
      ask: '',
      tone: 'plain',
      language: 'en',
      signature: '',
    }
  const { version: _, made_at: __, ...fields } = saved
  return fields
}

/** Entries of a user who left the page in a way that cannot be confirmed (Back, a key): they are filled in again. */
let left: { userId: number; entries: BriefFields } | null = null

function keepUnsaved(userId: number, entries: BriefFields | null): void {
  left = entries === null ? null : { userId, entries }
}

function takeUnsaved(userId: number): BriefFields | null {
  return left?.userId === userId ? left.entries : null
}
