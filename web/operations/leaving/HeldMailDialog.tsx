import { useState } from 'react'
import { counted } from '#contract/platform/counted.ts'
import { type HeldMail, heldMails } from '#contract/mail/held-mail.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { type ReplyOf } from '#contract/platform/endpoint.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { writtenTime } from './held-text.ts'

type Held = NonNullable<ReplyOf<typeof heldMails.list>>

/** What waits since a backup was restored, and what may have left already. Sending it ends the pause. */
export function HeldMailDialog({ held, open, onClose }: { held: Held; open: boolean; onClose: () => void }) {
  const [leaveOut, setLeaveOut] = useState(true)
  const send = useCommand(heldMails.send, {
    refreshes: [leaving.mailPause, heldMails.list, mailboxes.get],
    onSuccess: () => {
      toast.success('Your mail is sent and read again')
      onClose()
    },
  })
  const leaves = held.total - (leaveOut ? held.may_have_left : 0)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Mail that waits"
      busy={send.isPending}
      error={send.error ? sentenceOf(send.error, 'Failed to resume mail. Please try again.') : null}
      onSubmit={() => send.mutate({ body: { leave_out: leaveOut } })}
      submit={leaves === 0 ? 'Resume mail' : `Send ${counted(leaves, 'mail', 'mails')}`}
    >
      <div className="flex flex-col gap-4">
        <p className="max-w-prose">{introduction(held)}</p>
        {held.mails.length > 0 ? <Waiting held={held} leaveOut={leaveOut} /> : null}
        {held.recurring > 0 ? (
          <p className="max-w-prose text-ink-2">
            {held.recurring === 1 ? 'A recurring invoice was' : `${held.recurring} recurring invoices were`}{' '}
            due before Howl was restored, and may have been made already.{' '}
            {leaveOut ? 'What was due until then is not made again.' : 'What is due is made once you resume.'}
          </p>
        ) : null}
        {held.may_have_left > 0 || held.recurring > 0 ? (
          <Checkbox
            checked={leaveOut}
            onChange={(event) => setLeaveOut(event.target.checked)}
            label={
              <>
                {choiceOf(held)}
                {held.may_have_left > 0 ? (
                  <span className="mt-0.5 block text-sm text-ink-2">
                    {leaveOut
                      ? 'You find these emails in Sent, and can send each again.'
                      : 'Howl looks for each email in the Sent folder of your mailbox, and sends it if it is not there.'}
                  </span>
                ) : null}
              </>
            }
          />
        ) : null}
        {held.runs > 0 ? (
          <p className="max-w-prose text-ink-2">
            {held.runs === 1
              ? 'A bulk run is paused. Resume it once your mailbox has been read:'
              : `${held.runs} bulk runs are paused. Resume them once your mailbox has been read:`}{' '}
            then Howl knows whom it has written to.
          </p>
        ) : null}
      </div>
    </Dialog>
  )
}

function introduction({ total, may_have_left: left }: Held): string {
  if (total === 0) return 'No mail waits. Howl reads your mailbox again once you resume it.'
  if (left === 0) return `${counted(total, 'mail waits', 'mails wait')} to be sent.`
  const which =
    left < total
      ? `${left.toLocaleString('en')} of them ${left === 1 ? 'was' : 'were'}`
      : total === 1
        ? 'It was'
        : 'All of them were'
  return `${counted(total, 'mail waits', 'mails wait')} to be sent. ${which} due before Howl was restored, and may have left already.`
}

function choiceOf({ may_have_left: left, recurring }: Held): string {
  if (left > 0)
    return `Do not send the ${left === 1 ? 'one' : left.toLocaleString('en')} that may have left already`
  return recurring === 1 ? 'Do not make this invoice again' : 'Do not make these invoices again'
}

function Waiting({ held, leaveOut }: { held: Held; leaveOut: boolean }) {
  return (
    <div className="rounded-md border border-line">
      <ul className="divide-y divide-line">
        {held.mails.map((mail, index) => (
          // The list does not change while it is open.
          // oxlint-disable-next-line react/no-array-index-key -- reminders have no id here
          <Row key={index} mail={mail} isLeftOut={leaveOut && mail.may_have_left} />
        ))}
      </ul>
      {held.total > held.mails.length ? (
        <p className="border-t border-line px-3 py-2 text-sm text-ink-2">
          And {counted(held.total - held.mails.length, 'more mail', 'more mails')}.
        </p>
      ) : null}
    </div>
  )
}

function Row({ mail, isLeftOut }: { mail: HeldMail; isLeftOut: boolean }) {
  const timeZone = useTimeZone()
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2">
      <span className="min-w-0 flex-1 basis-52">
        <span className={isLeftOut ? 'block truncate text-ink-2' : 'block truncate font-medium'}>
          {titleOf(mail)}
        </span>
        <span className="flex flex-wrap gap-x-3 text-sm text-ink-2">
          <span className="max-w-full truncate">To {mail.to}</span>
          <span>Due {writtenTime(mail.due_at, timeZone)}</span>
        </span>
      </span>
      {mail.may_have_left ? <Badge tone="amber">May have left</Badge> : null}
    </li>
  )
}

const titleOf = ({ kind, subject }: HeldMail): string =>
  kind === 'payment_reminder'
    ? `Payment reminder for invoice ${subject}`
    : subject === ''
      ? '(no subject)'
      : subject
