import { type FormEvent, useEffect, useRef, useState } from 'react'
import { outreach, type Preview, PREVIEW_BODY_MAX, PREVIEW_SUBJECT_MAX } from '#contract/outreach/runs.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'

type EditMailProps = {
  mail: Preview
  templateId: number | undefined
  onClose: () => void
  onSaved: (mail: Preview) => void
}

/** The words of one of the first mails, to be changed. */
export function EditMail({ mail, templateId, onClose, onSaved }: EditMailProps) {
  const [subject, setSubject] = useState(mail.subject)
  const [body, setBody] = useState(mail.body)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const save = useCommand(outreach.changePreview, { onSuccess: onSaved })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending)
      save.mutate({ params: { id: mail.contact_id }, body: { subject, body, template_id: templateId } })
  }
  const { fields } = save.error ?? {}
  return (
    <form
      noValidate
      aria-label={`Edit the email to ${mail.name || mail.email}`}
      onSubmit={submit}
      className="flex flex-col gap-3 pt-1"
    >
      <Field label="Subject" required error={fields?.['subject']}>
        <TextInput
          ref={first}
          value={subject}
          maxLength={PREVIEW_SUBJECT_MAX}
          onChange={({ target }) => setSubject(target.value)}
        />
      </Field>
      <Field
        label="Text"
        required
        error={fields?.['body']}
        help="The line about unsubscribing is added below your words."
      >
        <TextArea
          value={body}
          maxLength={PREVIEW_BODY_MAX}
          dir="auto"
          onChange={({ target }) => setBody(target.value)}
        />
      </Field>
      <Alert>
        {save.error === null || fields !== undefined
          ? null
          : sentenceOf(save.error, 'Failed to change the email')}
      </Alert>
      <div className="flex gap-2">
        <Button size="s" type="submit" variant="primary" busy={save.isPending}>
          Save
        </Button>
        <Button size="s" disabled={save.isPending} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
