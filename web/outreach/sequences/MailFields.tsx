import { type ChangeEvent, useRef } from 'react'
import { Link } from 'react-router'
import type { SequenceStep } from '#contract/outreach/sequences.ts'
import { TEMPLATE_BODY_MAX, TEMPLATE_SUBJECT_MAX } from '#contract/outreach/template-text/parse-template.ts'
import { parseTemplate } from '#contract/outreach/template-text/parse-template.ts'
import { templates } from '#contract/outreach/templates.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { FieldButtons } from '../templates/FieldButtons.tsx'
import { templatePath } from '../templates/template-paths.ts'
import { TemplatePreview } from '../templates/TemplatePreview.tsx'
import { useInsert } from '../templates/use-insert.ts'

type MailStep = Extract<SequenceStep, { kind: 'mail' }>
type MailFieldsProps = {
  step: MailStep
  /** There is a mail before, which this one can answer. */
  hasMailBefore: boolean
  /** Some contacts get here without one: for them it needs a subject. */
  mayBeFirst: boolean
  onChange: (step: SequenceStep) => void
  faults: Readonly<Record<string, string>>
}

/** The mail of a step: one of the user's templates, or a text of its own, beside what a contact would read. */
export function MailFields({ step, hasMailBefore, mayBeFirst, onChange, faults }: MailFieldsProps) {
  const { data: own = [] } = useEndpoint(templates.list)
  const template = own.find(({ id }) => id === step.template_id)
  const isReply = hasMailBefore && step.same_conversation
  const choose = (value: string) => {
    if (value !== '') return onChange({ ...step, template_id: Number(value), subject: '', body: '' })
    // What the template says stays, to be changed.
    onChange({
      ...step,
      template_id: null,
      subject: template?.subject ?? step.subject,
      body: template?.body ?? step.body,
    })
  }
  const shown = template ?? step
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        {own.length === 0 && step.template_id === null ? null : (
          <Field
            label="Text"
            help={
              step.template_id === null ? undefined : (
                <Link to={templatePath(step.template_id)} className="text-link">
                  Open the template
                </Link>
              )
            }
            error={faults['template_id']}
          >
            <Select
              value={step.template_id === null ? '' : String(step.template_id)}
              onChange={({ target }) => choose(target.value)}
              options={[
                { value: '', label: 'Written here' },
                ...own.map(({ id, name }) => ({ value: String(id), label: `Template: ${name}` })),
              ]}
            />
          </Field>
        )}
        {hasMailBefore ? (
          <Checkbox
            label="In the same conversation, as an answer to the email before"
            checked={step.same_conversation}
            onChange={({ target }) => onChange({ ...step, same_conversation: target.checked })}
          />
        ) : null}
        {step.template_id === null ? <OwnText {...{ step, isReply, mayBeFirst, onChange, faults }} /> : null}
      </div>
      <TemplatePreview subject={isReply ? replySubject(shown.subject) : shown.subject} body={shown.body} />
    </div>
  )
}

const replySubject = (subject: string) =>
  `Re: ${subject === '' ? 'the subject of the email before' : subject}`

type OwnTextProps = Omit<MailFieldsProps, 'hasMailBefore'> & { isReply: boolean }

function OwnText({ step, isReply, mayBeFirst, onChange, faults }: OwnTextProps) {
  const body = useRef<HTMLTextAreaElement>(null)
  const { remember, putField, putCondition } = useInsert(body)
  const change = (name: 'subject' | 'body') => (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    onChange({ ...step, [name]: event.target.value })
  const mistake = (name: 'subject' | 'body') => faults[name] ?? parseTemplate(step[name]).problems[0]?.message
  return (
    <>
      <Field
        label="Subject"
        error={mistake('subject')}
        required={!isReply || mayBeFirst}
        help={
          !isReply
            ? undefined
            : mayBeFirst
              ? 'For contacts who get here without an email before. The others get an answer under the subject of theirs.'
              : 'Leave it empty to answer under the subject of the email before.'
        }
      >
        <TextInput
          value={step.subject}
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
      <Field label="Message" error={mistake('body')} required>
        <TextArea
          ref={body}
          value={step.body}
          onChange={change('body')}
          onFocus={remember}
          maxLength={TEMPLATE_BODY_MAX}
          className="min-h-56"
        />
      </Field>
    </>
  )
}
