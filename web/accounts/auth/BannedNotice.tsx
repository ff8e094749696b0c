import { useEffect, useRef, useState } from 'react'
import {
  APPEAL_MAX,
  BAN_REASON_LABELS,
  bans,
  type BanReason,
  MISSING_APPEAL,
} from '#contract/operations/bans.ts'
import type { ErrorBody } from '#contract/platform/errors.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { fullTime } from '#web/platform/dates/mail-age.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { StepForm } from './reset/StepForm.tsx'
import { currentTimeZone } from './time-zone.ts'

/** A ban as the log-in was refused with it; without a token there is nothing to appeal with. */
export type Banned = { ban: NonNullable<ErrorBody['ban']>; token: string | undefined }

type Props = Banned & { message: string; onMessage: (message: string) => void; onBack: () => void }

/** Why and until when the account is banned, and an appeal against that. */
export function BannedNotice({ ban, token, message, onMessage, onBack }: Props) {
  const [isSent, setSent] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  // The field that had the focus is gone.
  useEffect(() => title.current?.focus(), [])
  const zone = currentTimeZone()
  const waitsSince = ban.appeal_answer === null ? ban.appeal_submitted_at : null
  return (
    <div className="flex flex-col gap-4">
      <section aria-labelledby="ban" role="alert" className="flex flex-col gap-3">
        <h2 ref={title} tabIndex={-1} id="ban" className="text-lg font-semibold text-danger outline-none">
          This account is banned
        </h2>
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
          <dt className="text-ink-2">Until</dt>
          <dd>{ban.expires_at === null ? 'Permanently' : fullTime(new Date(ban.expires_at), zone)}</dd>
          <dt className="text-ink-2">Reason</dt>
          <dd>{BAN_REASON_LABELS[ban.reason as BanReason] ?? ban.reason}</dd>
        </dl>
        <p className="border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-line">{ban.description}</p>
        {ban.expires_at === null ? null : (
          <p className="text-sm text-ink-2">Times are in {zone}. Then the ban ends by itself.</p>
        )}
      </section>
      {ban.appeal_answer === null ? null : (
        <div className="flex flex-col gap-1.5">
          <h3 className="font-medium">The answer to your appeal</h3>
          <p className="border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-line">{ban.appeal_answer}</p>
        </div>
      )}
      {isSent ? (
        <output className="block rounded-md bg-green-soft px-3 py-2 text-green">
          Your appeal was sent. An administrator answers it by email.
        </output>
      ) : token !== undefined ? (
        <AppealForm token={token} message={message} onMessage={onMessage} onSent={() => setSent(true)} />
      ) : waitsSince !== null ? (
        <p className="rounded-md bg-sunken px-3 py-2">
          You appealed on {fullTime(new Date(waitsSince), zone)}. An administrator answers by email.
        </p>
      ) : (
        <p className="rounded-md bg-sunken px-3 py-2">
          You have appealed as often as is possible. The last answer stands.
        </p>
      )}
      <Button onClick={onBack}>Back to login</Button>
    </div>
  )
}

function AppealForm(props: {
  token: string
  message: string
  onMessage: (message: string) => void
  onSent: () => void
}) {
  const { token, message, onMessage, onSent } = props
  const [wrong, setWrong] = useState<string | undefined>()
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (busy) return
    setFault(null)
    setWrong(message.trim() === '' ? MISSING_APPEAL : undefined)
    if (message.trim() === '') return
    setBusy(true)
    try {
      await call(bans.appeal, { body: { appeal_token: token, message } })
      onMessage('')
      onSent()
    } catch (error) {
      setFault(sentenceOf(error, 'Your appeal could not be sent. Please try again.'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <StepForm onSubmit={() => void submit()}>
      <Field
        label="Your appeal"
        help="Why should the ban end? An administrator reads this and answers by email."
        error={wrong}
        required
      >
        <TextArea
          value={message}
          maxLength={APPEAL_MAX}
          rows={5}
          onChange={(event) => onMessage(event.target.value)}
        />
      </Field>
      <Alert>{fault}</Alert>
      <Button type="submit" variant="primary" busy={busy} busyLabel="Sending...">
        Send appeal
      </Button>
    </StepForm>
  )
}
