import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarDays, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { type Email, emails, type Intent } from '#contract/mail/emails.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import { clockTime, timeSpan } from '#web/platform/dates/mail-age.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { refreshMails, REPLY_FAILED, sentText, tellSent, UNDO_SECONDS } from './after-sending.ts'
import { BasedOn } from './BasedOn.tsx'
import { answerSubject } from './new-draft.ts'
import { wantsSettings } from './check-draft.ts'
import { Generating } from './Generating.tsx'
import { useNeededSettings } from './use-needed-settings.tsx'

/** A local language model is slow. */
const GENERATING_MS = 60_000

type Proposal = ReplyOf<typeof emails.replyPreview>

type GenerateReplyDialogProps = {
  mail: Email
  open: boolean
  onClose: () => void
  /** Opens the draft of a reply whose sending was undone. */
  onWrite: (draft: Email) => void
}

/** A reply proposed by the language model or the built-in rules. It is only sent after the user has seen it here. */
export function GenerateReplyDialog({ mail, open, onClose, onWrite }: GenerateReplyDialogProps) {
  const client = useQueryClient()
  const settings = useNeededSettings()
  const [text, setText] = useState('')
  const [withMeeting, setWithMeeting] = useState(true)
  const [chosenTime, setChosenTime] = useState(0)
  const [fault, setFault] = useState<string | null>(null)
  const { data: proposal, error, isFetching, dataUpdatedAt, refetch } = useProposal(mail, open)
  const [shownAt, setShownAt] = useState(0)
  // A new proposal replaces what the user made of the last one.
  if (proposal !== undefined && dataUpdatedAt !== shownAt) {
    setShownAt(dataUpdatedAt)
    setText(proposal.body)
    setChosenTime(0)
  }
  const schedule = scheduleOf(proposal, chosenTime)
  const send = useCommand(emails.reply, {
    onSuccess: (reply) => {
      refreshMails(client)
      tellSent(client, reply, sentText(reply), onWrite, REPLY_FAILED)
      onClose()
    },
    onError: (refusal) =>
      wantsSettings(refusal) ? settings.explain() : setFault(sentenceOf(refusal, REPLY_FAILED)),
  })
  const submit = () => {
    setFault(null)
    const meeting = withMeeting ? schedule : null
    send.mutate({
      body: {
        email_id: mail.id,
        subject: answerSubject(mail.subject),
        body: text,
        quote_of: mail.id,
        schedule: meeting,
        // An invitation reaches other people's calendars at once, so a reply with a meeting cannot be undone.
        ...(meeting === null ? { undo_seconds: UNDO_SECONDS } : {}),
      },
    })
  }
  const failure = error === null || isFetching ? null : sentenceOf(error, 'Failed to generate reply')
  return (
    <>
      <Dialog
        open={open && !settings.areNeeded}
        onClose={onClose}
        title="Generate Reply"
        description={`To ${mail.sender}: ${answerSubject(mail.subject)}`}
        size="l"
        busy={send.isPending}
        error={fault ?? failure}
        onSubmit={submit}
        footer={
          <Button
            className="mr-auto"
            icon={<RefreshCw aria-hidden className="size-4" />}
            busy={isFetching}
            onClick={() => void refetch()}
          >
            Generate again
          </Button>
        }
        submit="Send"
        submitDisabled={isFetching || text.trim() === ''}
      >
        {isFetching ? (
          <Generating label="Generating a reply" />
        ) : (
          <div className="flex flex-col gap-4">
            {proposal === undefined ? null : (
              <Found intent={proposal.intent} templated={proposal.templated} />
            )}
            <Field label="Message" hideLabel>
              <TextArea
                value={text}
                onChange={(event) => setText(event.target.value)}
                className="min-h-52"
                aria-label="Message"
              />
            </Field>
            {schedule === null ? null : (
              <MeetingOfReply
                schedule={schedule}
                times={proposal?.times ?? []}
                chosen={chosenTime}
                onChoose={setChosenTime}
                included={withMeeting}
                onInclude={setWithMeeting}
              />
            )}
            <BasedOn sources={proposal?.sources ?? []} />
          </div>
        )}
      </Dialog>
      {settings.dialog}
    </>
  )
}

/** A reply that is made for this opening of the dialog: times that were free at the last one may be taken. */
function useProposal(mail: Email, open: boolean) {
  const [opening] = useState(() => crypto.randomUUID())
  return useQuery<Proposal>({
    queryKey: ['generated reply', mail.id, opening],
    queryFn: () =>
      call(emails.replyPreview, {
        body: { email_id: mail.id, subject: mail.subject, original: mail.content },
        timeoutMs: GENERATING_MS,
      }),
    enabled: open,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
  })
}

function Found({ intent, templated }: { intent: Intent; templated: boolean }) {
  return (
    <p className="text-sm text-ink-2">
      Understood as: <span className="font-medium text-ink">{intent.replaceAll('_', ' ')}</span>.
      {templated
        ? ' Written from a built-in template, in English.'
        : ' Written by the AI model. Please read it before you send it.'}
    </p>
  )
}

type Schedule = NonNullable<Proposal['schedule']>
type Times = Proposal['times']

/** The meeting of the reply, at the time that was chosen. */
function scheduleOf(proposal: Proposal | undefined, chosen: number): Schedule | null {
  const schedule = proposal?.schedule ?? null
  return schedule === null ? null : { ...schedule, ...proposal?.times[chosen] }
}

/** "Tuesday 12 January at 10:00", as the text says it. */
function asWritten(at: Date, timeZone: string): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const date = dateFormat('en-GB', { ...day, timeZone })
    .format(at)
    .replace(',', '')
  return `${date} at ${clockTime(at, timeZone)}`
}

type MeetingOfReplyProps = {
  schedule: Schedule
  /** The free times that the text may offer. */
  times: Times
  chosen: number
  onChoose: (index: number) => void
  included: boolean
  onInclude: (included: boolean) => void
}

function MeetingOfReply(props: MeetingOfReplyProps) {
  const { schedule, times, chosen, onChoose, included, onInclude } = props
  const timeZone = useTimeZone()
  const span = ({ start_iso: start, end_iso: end }: Times[number]) =>
    timeSpan(new Date(start), new Date(end), timeZone)
  return (
    <div className="flex items-start gap-3 rounded-md border border-line px-3 py-2.5">
      <CalendarDays aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{schedule.title}</p>
          {times.length > 1 ? null : <p className="text-sm text-ink-2">{span(schedule)}</p>}
        </div>
        <Checkbox
          label="Add this meeting"
          checked={included}
          onChange={(event) => onInclude(event.target.checked)}
        />
        {times.length > 1 ? (
          <Select
            aria-label="Time of the meeting"
            className="w-full max-w-80"
            disabled={!included}
            value={String(chosen)}
            onChange={(event) => onChoose(Number(event.target.value))}
            options={times.map((time, index) => ({
              value: String(index),
              label: asWritten(new Date(time.start_iso), timeZone),
            }))}
          />
        ) : null}
      </div>
    </div>
  )
}
