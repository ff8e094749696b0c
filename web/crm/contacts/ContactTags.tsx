import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Contact, contacts } from '#contract/crm/contacts.ts'
import { tags } from '#contract/crm/tags.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { sameNames } from './tag-suggestions.ts'
import { TagLine } from './TagChip.tsx'
import { TagsInput } from './TagsInput.tsx'

/** A contact's tags, with a way to change them. */
export function ContactTags({ contact }: { contact: Contact }) {
  const [dialog, setDialog] = useState({ open: false, turn: 0 })
  return (
    <div className="flex flex-wrap items-center gap-1">
      <TagLine tags={contact.tags} atMost={12} />
      <button
        type="button"
        onClick={() => setDialog({ open: true, turn: dialog.turn + 1 })}
        className="inline-flex h-5.5 items-center gap-1 rounded-sm border border-dashed border-control/70 px-1.5 text-xs text-ink-2 transition-colors hover:border-control hover:text-ink pointer-coarse:h-9"
      >
        <Plus aria-hidden className="size-3" />
        Edit tags
      </button>
      {dialog.turn === 0 ? null : (
        <TagsOfContact
          key={dialog.turn}
          contact={contact}
          open={dialog.open}
          onClose={() => setDialog({ ...dialog, open: false })}
        />
      )}
    </div>
  )
}

function TagsOfContact({ contact, open, onClose }: { contact: Contact; open: boolean; onClose: () => void }) {
  const [before] = useState(() => contact.tags.map(({ name }) => name))
  const [names, setNames] = useState(before)
  const save = useCommand(contacts.update, {
    refreshes: [contacts.get, contacts.list, tags.list],
    onSuccess: () => {
      toast.success('Contact updated')
      onClose()
    },
  })
  const send = () =>
    sameNames(names, before) ? onClose() : save.mutate({ params: { id: contact.id }, body: { tags: names } })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Tags of ${contact.name}`}
      size="s"
      busy={save.isPending}
      error={save.error === null ? null : sentenceOf(save.error, 'Failed to update contact')}
      onSubmit={send}
      footer={
        <>
          <Button onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save Changes
          </Button>
        </>
      }
    >
      <Field label="Tags" className="min-h-44">
        <TagsInput value={names} onChange={setNames} />
      </Field>
    </Dialog>
  )
}
