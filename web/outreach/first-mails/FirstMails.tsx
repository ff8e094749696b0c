import { useId, useState } from 'react'
import type { Audience } from '#contract/crm/contacts.ts'
import { outreach, type Preview } from '#contract/outreach/runs.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { FirstMail } from './FirstMail.tsx'

/** A language model needs its time. */
const WRITING_MS = 90_000

type FirstMailsProps = {
  /** The account that the run would send from. */
  mailboxId: number | null
  /** Whom the run would write to, without an audience all contacts that were not mailed; and its template, if it has one. */
  asked: { audience?: Audience; write_again?: boolean; template_id?: number }
  isShown: boolean
  onShow: () => void
  onEditing: (isEditing: boolean) => void
  /** What the run would do is different now. */
  onChanged: () => void
}

/** The first mails of a run, before anything leaves: each can be read, changed, left out, or sent to oneself. */
export function FirstMails({ mailboxId, asked, isShown, onShow, onEditing, onChanged }: FirstMailsProps) {
  const heading = useId()
  const [mails, setMails] = useState<readonly Preview[]>([])
  const [editing, setEditing] = useState<number | null>(null)
  const write = useCommand(outreach.previews)
  const load = () =>
    write.mutate(
      { body: { mailbox_id: mailboxId, ...asked }, timeoutMs: WRITING_MS },
      {
        // Not once something else is asked for: then this is another list.
        onSuccess: (all) => {
          setMails(all)
          onShow()
          onChanged()
        },
      },
    )
  const edit = (id: number | null) => {
    setEditing(id)
    onEditing(id !== null)
  }
  const replace = (mail: Preview) => {
    setMails((all) => all.map((each) => (each.contact_id === mail.contact_id ? mail : each)))
    onChanged()
  }
  const fault = write.error === null ? null : sentenceOf(write.error, 'Failed to write the first emails')
  if (!isShown)
    return (
      <div className="mt-4 flex flex-col items-start gap-3">
        <Button busy={write.isPending} busyLabel="Writing…" onClick={load}>
          See the first emails
        </Button>
        <Alert>{fault}</Alert>
      </div>
    )
  return (
    <section aria-labelledby={heading} className="mt-5">
      <h3 id={heading} className="font-semibold">
        The first emails
      </h3>
      <p className="text-sm text-ink-2">
        They leave exactly as they stand here. The others are written like them.
      </p>
      <ul className="mt-2 divide-y divide-line border-y border-line">
        {mails.map((mail, index) => (
          <FirstMail
            key={mail.contact_id}
            mail={mail}
            isFirst={index === 0}
            mailboxId={mailboxId}
            templateId={asked.template_id}
            isEditing={editing === mail.contact_id}
            // One at a time: what is typed in another one would be lost.
            canEdit={editing === null}
            onEdit={(isOn) => edit(isOn ? mail.contact_id : null)}
            onChange={replace}
            onWriteAgain={load}
            isWriting={write.isPending}
          />
        ))}
      </ul>
      {editing === null ? null : (
        <p className="mt-2 text-sm text-ink-2">Save or cancel your change before you send.</p>
      )}
      <div className="mt-3">
        <Alert>{fault}</Alert>
      </div>
    </section>
  )
}
