import { Send } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { TEMPLATE_BODY_MAX, TEMPLATE_SUBJECT_MAX } from '#contract/outreach/template-text/parse-template.ts'
import { placesToFill } from '#contract/outreach/template-text/places-to-fill.ts'
import { TEMPLATE_NAME_MAX, templates } from '#contract/outreach/templates.ts'
import { ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { outreachPaths } from '../runs/outreach-tabs.ts'
import { useLeaveGuard } from '../runs/use-leave-guard.tsx'
import { FieldButtons } from './FieldButtons.tsx'
import { TemplateCheck } from './TemplateCheck.tsx'
import { TemplatePreview } from './TemplatePreview.tsx'
import { writeWithPath } from './template-paths.ts'
import { useInsert } from './use-insert.ts'

type Text = { name: string; subject: string; body: string }
const CANCEL = buttonClass()
const NAMES = ['name', 'subject', 'body'] as const

type TemplateEditorProps = {
  /** The template to change; null for a new one. */
  id: number | null
  start: Text
}

/** Writes a template, beside the mail that one contact would get and what could be better. */
export function TemplateEditor({ id, start }: TemplateEditorProps) {
  const navigate = useNavigate()
  const [text, setText] = useState<Text>({ name: start.name, subject: start.subject, body: start.body })
  const [errors, setErrors] = useState<Partial<Text>>({})
  const [fault, setFault] = useState<string | null>(null)
  const nameControl = useRef<HTMLInputElement>(null)
  const subjectControl = useRef<HTMLInputElement>(null)
  const bodyControl = useRef<HTMLTextAreaElement>(null)
  const controlOf = (name: keyof Text) =>
    ({ name: nameControl, subject: subjectControl, body: bodyControl })[name].current
  const { remember, putField, putCondition } = useInsert(bodyControl)
  const isDirty = NAMES.some((name) => text[name] !== start[name])
  const guard = useLeaveGuard(isDirty)
  const change = (name: keyof Text) => (event: { target: { value: string } }) => {
    const { value } = event.target
    setText((now) => ({ ...now, [name]: value }))
    setErrors((now) => ({ ...now, [name]: undefined }))
  }
  const reactions = {
    refreshes: [templates.list, templates.get],
    onSuccess: () => {
      toast.success(id === null ? 'Template added' : 'Template saved')
      guard.allow()
      void navigate(outreachPaths.templates, { replace: true })
    },
    onError: (error: unknown) => {
      const fields = error instanceof ApiError ? (error.fields ?? {}) : {}
      setErrors(fields)
      const first = NAMES.find((name) => fields[name] !== undefined)
      if (first === undefined) setFault(sentenceOf(error, 'Failed to save the template'))
      else controlOf(first)?.focus()
    },
  }
  const add = useCommand(templates.add, reactions)
  const update = useCommand(templates.update, reactions)
  const busy = add.isPending || update.isPending
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    setFault(null)
    if (id === null) add.mutate({ body: text })
    else update.mutate({ params: { id }, body: text })
  }
  const show = (about: 'subject' | 'body', line: number, column: number) => {
    const control = controlOf(about)
    const at =
      text[about]
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length +
      (line > 1 ? 1 : 0) +
      column -
      1
    control?.focus()
    control?.setSelectionRange(at, at)
  }
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <form onSubmit={save} noValidate aria-label={id === null ? 'New template' : 'Template'}>
        <Card
          title={id === null ? 'New template' : 'Edit template'}
          actions={id === null ? null : <WriteWith id={id} text={text} />}
        >
          <div className="flex flex-col gap-4">
            <Field label="Name" error={errors.name} help="Only you see it." required>
              <TextInput
                ref={nameControl}
                value={text.name}
                onChange={change('name')}
                maxLength={TEMPLATE_NAME_MAX}
                autoComplete="off"
              />
            </Field>
            <Field label="Subject" error={errors.subject} required>
              <TextInput
                ref={subjectControl}
                value={text.subject}
                onChange={change('subject')}
                onFocus={remember}
                maxLength={TEMPLATE_SUBJECT_MAX}
                autoComplete="off"
              />
            </Field>
            <div className="flex flex-col gap-1.5">
              <p className="text-sm font-medium">Put in</p>
              <FieldButtons onField={putField} onCondition={putCondition} />
            </div>
            <Field label="Text" error={errors.body} required>
              <TextArea
                ref={bodyControl}
                value={text.body}
                onChange={change('body')}
                onFocus={remember}
                maxLength={TEMPLATE_BODY_MAX}
                className="min-h-80"
              />
            </Field>
            <Alert>{fault}</Alert>
            <div className="flex flex-wrap justify-end gap-2">
              <Link to={outreachPaths.templates} className={CANCEL}>
                Cancel
              </Link>
              <Button type="submit" variant="primary" busy={busy}>
                Save template
              </Button>
            </div>
          </div>
        </Card>
      </form>
      <div className="flex min-w-0 flex-col gap-5">
        <TemplatePreview subject={text.subject} body={text.body} />
        <TemplateCheck subject={text.subject} body={text.body} onShow={show} />
      </div>
      {guard.dialog}
    </div>
  )
}

/** Leads to the contacts; not while examples in brackets wait for the user's own words. */
function WriteWith({ id, text: { subject, body } }: { id: number; text: Text }) {
  if (placesToFill(`${subject}\n${body}`).length > 0) return null
  return (
    <Link to={writeWithPath(id)} className={buttonClass('quiet', 's')}>
      <Send aria-hidden className="size-4" />
      Write to contacts with this
    </Link>
  )
}
