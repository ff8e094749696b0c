import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { type Email, emails } from '#contract/mail/emails.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { refreshMails, REPLY_FAILED, sentText, tellSent, UNDO_SECONDS } from './after-sending.ts'
import { answerSubject } from './new-draft.ts'
import { wantsSettings } from './check-draft.ts'
import { useNeededSettings } from './use-needed-settings.tsx'

/** A second reply to the same mail within this time is an accidental click. */
const REPEATED_MS = 2000

/** A short reply without leaving the mail. Text that could not be sent stays in the field. */
export function QuickReply({ mail, onWrite }: { mail: Email; onWrite: (draft: Email) => void }) {
  const client = useQueryClient()
  const settings = useNeededSettings()
  const label = useId()
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const lastAt = useRef(0)
  const send = useCommand(emails.reply, {
    onSuccess: (reply, { body }) => {
      // What was typed meanwhile stays.
      setText((now) => (now === body?.body ? '' : now))
      refreshMails(client)
      tellSent(client, reply, sentText(reply), onWrite, REPLY_FAILED)
    },
    onError: (error) =>
      wantsSettings(error) ? settings.explain() : setFault(sentenceOf(error, REPLY_FAILED)),
  })
  const submit = () => {
    if (text.trim() === '' || send.isPending) return
    const now = Date.now()
    if (now - lastAt.current < REPEATED_MS) {
      toast.info('Duplicate click ignored')
      return
    }
    lastAt.current = now
    setFault(null)
    send.mutate({
      body: {
        email_id: mail.id,
        subject: answerSubject(mail.subject),
        body: text,
        quote_of: mail.id,
        undo_seconds: UNDO_SECONDS,
      },
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="mt-auto flex flex-col gap-2 border-t border-line px-4 py-4 lg:px-6"
    >
      <label id={label} htmlFor={`${label}-text`} className="text-sm font-medium">
        Quick reply
      </label>
      <TextArea
        id={`${label}-text`}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={`Write to ${mail.sender}`}
        className="min-h-16"
      />
      {fault === null ? null : (
        <p role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
      {text.trim() === '' ? null : (
        <div className="flex justify-end">
          <Button type="submit" variant="primary" busy={send.isPending}>
            Send reply
          </Button>
        </div>
      )}
      {settings.dialog}
    </form>
  )
}
