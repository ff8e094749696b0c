import { useId, useState } from 'react'
import { type Contact, contacts } from '#contract/crm/contacts.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { toast } from '#web/platform/ui/toast.ts'

const NOTES_MAX = 20_000

/** A contact's notes, edited in place. Changes from elsewhere never overwrite what the user is typing. */
export function ContactNotes({ contact }: { contact: Contact }) {
  const fault = useId()
  const [draft, setDraft] = useState<string | null>(null)
  const save = useCommand(contacts.update, {
    refreshes: [contacts.get, contacts.list],
    onSuccess: (_, { body }) => {
      // Text typed during a save is kept for the next one.
      setDraft((now) => (now === body?.notes ? null : now))
      toast.success('Contact updated')
    },
  })
  const send = () =>
    draft !== null && !save.isPending && save.mutate({ params: { id: contact.id }, body: { notes: draft } })
  const giveUp = () => {
    setDraft(null)
    save.reset()
  }
  return (
    <Card title="Notes">
      <TextArea
        aria-label="Notes"
        aria-describedby={save.error === null ? undefined : fault}
        value={draft ?? contact.notes}
        maxLength={NOTES_MAX}
        rows={5}
        placeholder="What to remember about this person"
        onChange={(event) => setDraft(event.target.value === contact.notes ? null : event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          if (event.key === 'Escape') giveUp()
        }}
      />
      {save.error === null ? null : (
        <p id={fault} role="alert" className="mt-2 text-sm text-danger">
          {sentenceOf(save.error, 'Failed to update contact')}
        </p>
      )}
      {draft === null ? null : (
        <div className="mt-2 flex justify-end gap-2">
          <Button size="s" disabled={save.isPending} onClick={giveUp}>
            Cancel
          </Button>
          <Button size="s" variant="primary" busy={save.isPending} onClick={send}>
            Save notes
          </Button>
        </div>
      )}
    </Card>
  )
}
