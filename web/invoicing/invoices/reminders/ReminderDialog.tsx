import { type FormEvent, useRef, useState } from 'react'
import { SUBJECT_MAX } from '#contract/mail/email.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { paymentReminders, REMINDER_TEXT_MAX, type Reminder } from '#contract/invoicing/payment-reminders.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useMailWait } from '#web/mail/mailboxes/use-mail-wait.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { customerText } from '../list/invoice-text.ts'
import { Names } from './ReminderNames.tsx'
import { daysText, REMINDERS, whenText } from './reminder-text.ts'

type ReminderDialogProps = { open: boolean; onClose: () => void; reminder: Reminder }

/** The very words of a reminder, and what can be done with it before it leaves. */
export function ReminderDialog(props: ReminderDialogProps) {
  const [isEditing, setEditing] = useState(false)
  return isEditing ? (
    <EditReminder {...props} onBack={() => setEditing(false)} />
  ) : (
    <ShowReminder {...props} onEdit={() => setEditing(true)} />
  )
}

function ShowReminder({ open, onClose, reminder, onEdit }: ReminderDialogProps & { onEdit: () => void }) {
  const { id, cc, customer, days, number, reason, state, subject, text, to } = reminder
  const timeZone = useTimeZone()
  const waits = useMailWait()
  const update = useCommand(paymentReminders.update, {
    refreshes: REMINDERS,
    onError: (error) => toast.error(sentenceOf(error, 'Failed to change the reminder')),
  })
  const send = useCommand(paymentReminders.send, {
    refreshes: [...REMINDERS, invoiceMail.mails],
    onSuccess: (sent) => {
      if (sent.state === 'sent') toast.success(`Reminder sent to ${sent.to}`)
      else if (sent.state === 'waiting') toast.info(`Reminder to ${sent.to} is on its way`)
      else toast.error(`Reminder not sent${sent.reason === null ? '' : `: ${sent.reason}`}`)
      onClose()
    },
  })
  const skip = (skipped: boolean) =>
    update.mutate(
      { params: { id }, body: { skipped } },
      {
        onSuccess: () => {
          toast.success(skipped ? 'Reminder skipped' : 'Reminder is back in the plan', {
            undo: () => update.mutate({ params: { id }, body: { skipped: !skipped } }),
          })
          onClose()
        },
      },
    )
  const isBusy = update.isPending || send.isPending
  const isOpen = state !== 'sent' && state !== 'waiting'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Reminder of ${number}`}
      description={`${customerText(customer)}, ${daysText(days)}`}
      busy={isBusy}
      error={send.error === null ? null : sentenceOf(send.error, 'Failed to send the reminder')}
      footer={
        isOpen ? (
          <>
            {state === 'upcoming' ? (
              <Button onClick={() => skip(true)} disabled={isBusy}>
                Skip
              </Button>
            ) : state === 'skipped' ? (
              <Button onClick={() => skip(false)} disabled={isBusy}>
                Do not skip
              </Button>
            ) : null}
            <Button onClick={onEdit} disabled={isBusy}>
              Edit
            </Button>
            <Button variant="primary" busy={send.isPending} onClick={() => send.mutate({ params: { id } })}>
              Send now
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )
      }
    >
      <dl className="mb-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        <dt className="text-ink-2">To</dt>
        <dd className="wrap-anywhere">{to || 'No address: please enter one in the invoice’s contact'}</dd>
        {cc === '' ? null : (
          <>
            <dt className="text-ink-2">Cc</dt>
            <dd className="wrap-anywhere">{cc}</dd>
          </>
        )}
        <dt className="text-ink-2">{state === 'sent' ? 'Sent' : 'Leaves'}</dt>
        <dd className="wrap-anywhere">
          {state === 'upcoming' && waits !== null ? waits : leavesText(reminder, timeZone)}
          {reason === null ? '' : ` · ${reason}`}
        </dd>
        <dt className="text-ink-2">Subject</dt>
        <dd className="wrap-anywhere">{subject}</dd>
      </dl>
      <section
        aria-label="Text"
        dir="auto"
        className="max-h-80 overflow-y-auto rounded-md bg-sunken px-4 py-3 leading-relaxed wrap-anywhere whitespace-pre-line"
        // A long text is scrolled with the keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {text}
      </section>
    </Dialog>
  )
}

function leavesText({ send_at, state }: Reminder, timeZone: string): string {
  if (state === 'waiting') return 'As soon as the mail server takes it'
  return state === 'sent' || state === 'upcoming' ? whenText(send_at, timeZone) : 'Not'
}

function EditReminder({ open, onClose, reminder, onBack }: ReminderDialogProps & { onBack: () => void }) {
  const [typed, setTyped] = useState(reminder.template)
  const field = useRef<HTMLTextAreaElement>(null)
  const update = useCommand(paymentReminders.update, {
    refreshes: REMINDERS,
    onSuccess: () => {
      toast.success('Reminder changed')
      onBack()
    },
  })
  const { error } = update
  const faults = error?.fields ?? {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate({ params: { id: reminder.id }, body: typed })
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Edit the reminder of ${reminder.number}`}
      description="These words are for this invoice only."
      busy={update.isPending}
      error={
        error === null || Object.keys(faults).length > 0
          ? null
          : sentenceOf(error, 'Failed to change the reminder')
      }
      onSubmit={submit}
      initialFocus={field}
      footer={
        <>
          <Button onClick={onBack} disabled={update.isPending}>
            Back
          </Button>
          <Button variant="primary" type="submit" busy={update.isPending}>
            Save
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="Subject" required error={faults['subject']}>
          <TextInput
            maxLength={SUBJECT_MAX}
            value={typed.subject}
            onChange={({ target }) => setTyped({ ...typed, subject: target.value })}
          />
        </Field>
        <Field label="Text" required error={faults['text']} help={<Names />}>
          <TextArea
            ref={field}
            rows={10}
            maxLength={REMINDER_TEXT_MAX}
            value={typed.text}
            onChange={({ target }) => setTyped({ ...typed, text: target.value })}
          />
        </Field>
      </div>
    </Dialog>
  )
}
