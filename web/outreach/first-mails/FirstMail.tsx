import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { outreach, type Preview } from '#contract/outreach/runs.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { EditMail } from './EditMail.tsx'

type FirstMailProps = {
  mail: Preview
  /** It stands open at first. */
  isFirst: boolean
  mailboxId: number | null
  /** The template that it was written from; without it "About you". */
  templateId: number | undefined
  isEditing: boolean
  canEdit: boolean
  onEdit: (isEditing: boolean) => void
  onChange: (mail: Preview) => void
  onWriteAgain: () => void
  isWriting: boolean
}

/** One of the first mails: its line, and below it the whole mail with what can be done with it. */
export function FirstMail(props: FirstMailProps) {
  const { mail, templateId, isFirst, isEditing, onEdit, onChange } = props
  const body = useId()
  const [isOpen, setOpen] = useState(isFirst)
  const name = mail.name || mail.email
  return (
    <li className="py-1">
      <button
        type="button"
        aria-expanded={isOpen || isEditing}
        aria-controls={body}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full min-w-0 items-start gap-2 rounded-md py-2 text-left hover:bg-sunken"
      >
        <ChevronRight
          aria-hidden
          className={cx(
            'mt-0.5 size-4 shrink-0 text-ink-2 transition-transform',
            (isOpen || isEditing) && 'rotate-90',
          )}
        />
        <span className={cx('min-w-0 flex-1', mail.left_out && 'text-ink-2 line-through')}>
          <span className="block font-medium wrap-anywhere">{name}</span>
          <span className="block text-sm wrap-anywhere text-ink-2">{mail.subject}</span>
        </span>
        <Marks mail={mail} />
      </button>
      <div id={body} hidden={!isOpen && !isEditing} className="pb-3 pl-6">
        {isEditing ? (
          <EditMail
            mail={mail}
            templateId={templateId}
            onClose={() => onEdit(false)}
            onSaved={(saved) => {
              onChange(saved)
              onEdit(false)
            }}
          />
        ) : isOpen ? (
          <Read {...props} name={name} />
        ) : null}
      </div>
    </li>
  )
}

function Marks({ mail: { left_out, edited, outdated, fallback } }: Pick<FirstMailProps, 'mail'>) {
  return (
    <span className="flex shrink-0 flex-wrap justify-end gap-1">
      {left_out ? <Badge tone="gray">Left out</Badge> : null}
      {edited ? <Badge tone="moon">Changed by you</Badge> : null}
      {outdated ? <Badge tone="amber">Older version</Badge> : null}
      {fallback === null || fallback === NO_MODEL ? null : <Badge tone="amber">Template</Badge>}
    </span>
  )
}

/** Not worth a mark: then every mail is the template. */
const NO_MODEL = 'No language model is set up.'

function Read(props: FirstMailProps & { name: string }) {
  const { mail, name, mailboxId, templateId, canEdit, onEdit, onChange, onWriteAgain, isWriting } = props
  const params = { id: mail.contact_id }
  const from = templateId === undefined ? {} : { template_id: templateId }
  const change = useCommand(outreach.changePreview, {
    onSuccess: onChange,
    onError: (error) => toast.error(sentenceOf(error, 'Failed to change the email')),
  })
  const discard = useCommand(outreach.discardPreview, {
    onSuccess: onWriteAgain,
    onError: (error) => toast.error(sentenceOf(error, 'Failed to write the email again')),
  })
  const test = useCommand(outreach.testPreview, {
    onSuccess: ({ to }) => toast.success(`A test is on its way to ${to}`),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to send the test')),
  })
  const isBusy = change.isPending || discard.isPending || isWriting
  const mayBeNew = mail.edited || (mail.fallback !== null && mail.fallback !== NO_MODEL)
  return (
    <>
      {mail.outdated ? (
        <p className="mb-2 text-sm text-ink-2">
          You wrote this before the contact or {templateId === undefined ? '“About you”' : 'the template'}{' '}
          changed. It leaves as you wrote it.
        </p>
      ) : null}
      {mail.fallback === null || mail.fallback === NO_MODEL ? null : (
        <p className="mb-2 text-sm text-ink-2">This is the template: {mail.fallback}</p>
      )}
      <section
        aria-label={`Email to ${name}`}
        dir="auto"
        // A long text is scrolled with the keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className={cx(
          'scroll-shade max-h-96 overflow-y-auto rounded-md px-3 py-2.5 text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap',
          mail.left_out && 'text-ink-2',
        )}
      >
        {mail.text.trimEnd()}
      </section>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button
          size="s"
          disabled={!canEdit || isBusy}
          aria-label={`Edit the email to ${name}`}
          onClick={() => onEdit(true)}
        >
          Edit
        </Button>
        <Button
          size="s"
          busy={change.isPending}
          disabled={discard.isPending || isWriting}
          aria-label={mail.left_out ? `Write to them after all, ${name}` : `Leave out ${name}`}
          onClick={() => change.mutate({ params, body: { ...from, left_out: !mail.left_out } })}
        >
          {mail.left_out ? 'Write to them after all' : 'Leave out'}
        </Button>
        <Button
          size="s"
          busy={test.isPending}
          aria-label={`Send me a test of the email to ${name}`}
          onClick={() => test.mutate({ params, body: { ...from, mailbox_id: mailboxId } })}
        >
          Send me a test
        </Button>
        {mayBeNew ? (
          <Button
            size="s"
            busy={discard.isPending || (isWriting && discard.isSuccess)}
            disabled={!canEdit || isBusy}
            aria-label={`Write it again, the email to ${name}`}
            onClick={() => discard.mutate({ params, query: from })}
          >
            Write it again
          </Button>
        ) : null}
      </div>
    </>
  )
}
