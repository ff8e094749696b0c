import { useQueryClient } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { recipientsOf } from '#contract/formats/address-line.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { type Email, emails } from '#contract/mail/emails.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { refreshMails, tellSent, UNDO_SECONDS } from './after-sending.ts'
import { BasedOn } from './BasedOn.tsx'
import { wantsSettings } from './check-draft.ts'
import { addressOf } from '../../crm/contacts/recipients.ts'
import { Generating } from './Generating.tsx'
import { useNeededSettings } from './use-needed-settings.tsx'

/** A local language model is slow. */
const GENERATING_MS = 60_000

const FAILED = 'Failed to send follow-up'
const NO_RECIPIENT = 'Please enter an email address to generate follow-up'

type Found = ReplyOf<typeof emails.followUpPreview>

type FollowUpDialogProps = {
  mail: Email
  open: boolean
  onClose: () => void
  onWrite: (mail: Email) => void
}

/** A follow-up to a contact who has not answered: Howl proposes the text, the user edits and sends it. */
export function FollowUpDialog({ mail, open, onClose, onWrite }: FollowUpDialogProps) {
  const client = useQueryClient()
  const settings = useNeededSettings()
  const [to, setTo] = useState(addressOf(recipientsOf(mail.to)[0] ?? ''))
  const [text, setText] = useState('')
  const [subject, setSubject] = useState('')
  const [inReplyTo, setInReplyTo] = useState<string | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string | undefined>()
  const preview = useCommand(emails.followUpPreview, {
    onSuccess: (proposal) => {
      setText(proposal.body)
      setSubject(proposal.subject)
      setInReplyTo(proposal.in_reply_to)
      setFound(proposal)
    },
    onError: (error) => setFault(sentenceOf(error, 'Failed to generate follow-up')),
  })
  const send = useCommand(emails.send, {
    onSuccess: (sent) => {
      refreshMails(client)
      tellSent(client, sent, 'Follow-up sent successfully', onWrite, FAILED)
      onClose()
    },
    onError: (error) => (wantsSettings(error) ? settings.explain() : setFault(sentenceOf(error, FAILED))),
  })
  const generate = () => {
    setFault(null)
    setWrong(to.trim() === '' ? NO_RECIPIENT : undefined)
    if (to.trim() !== '') preview.mutate({ body: { to: to.trim() }, timeoutMs: GENERATING_MS })
  }
  const submit = () => {
    setFault(null)
    if (to.trim() === '') return setWrong(NO_RECIPIENT)
    send.mutate({
      body: {
        to: to.trim(),
        subject: subject.trim() || mail.subject,
        content: text,
        in_reply_to: inReplyTo,
        undo_seconds: UNDO_SECONDS,
      },
    })
  }
  return (
    <>
      <Dialog
        open={open && !settings.areNeeded}
        onClose={onClose}
        title="Generate Follow-up"
        size="l"
        busy={send.isPending}
        error={fault}
        onSubmit={submit}
        footer={
          <Button
            className="mr-auto"
            icon={<Sparkles aria-hidden className="size-4" />}
            busy={preview.isPending}
            onClick={generate}
          >
            {text === '' ? 'Generate' : 'Generate again'}
          </Button>
        }
        submit="Send"
        submitDisabled={preview.isPending || text.trim() === ''}
      >
        <div className="flex flex-col gap-4">
          <Field label="To" error={wrong} required>
            <TextInput
              type="email"
              value={to}
              onChange={(event) => {
                setWrong(undefined)
                setTo(event.target.value)
              }}
              autoComplete="off"
            />
          </Field>
          {preview.isPending ? (
            <Generating label="Generating a follow-up" />
          ) : (
            <>
              {found === null ? null : <WrittenBy templated={found.templated} />}
              <MessageFields subject={subject} onSubject={setSubject} text={text} onText={setText} />
              <BasedOn sources={found?.sources ?? []} />
            </>
          )}
        </div>
      </Dialog>
      {settings.dialog}
    </>
  )
}

function WrittenBy({ templated }: { templated: boolean }) {
  return (
    <p className="text-sm text-ink-2">
      {templated
        ? 'Written from a built-in template, in English.'
        : 'Written by the AI model. Please read it before you send it.'}
    </p>
  )
}

type MessageFieldsProps = {
  subject: string
  onSubject: (subject: string) => void
  text: string
  onText: (text: string) => void
}

function MessageFields({ subject, onSubject, text, onText }: MessageFieldsProps) {
  return (
    <>
      <Field label="Subject">
        <TextInput value={subject} onChange={(event) => onSubject(event.target.value)} />
      </Field>
      <Field label="Message">
        <TextArea value={text} onChange={(event) => onText(event.target.value)} className="min-h-44" />
      </Field>
    </>
  )
}
