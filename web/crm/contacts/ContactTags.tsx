import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Contact, contacts } from '#contract/crm/contacts.ts'
import { tags } from '#contract/crm/tags.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { sameNames } from './tag-suggestions.ts'
import { TagLine } from './TagChip.tsx'
import { TagsInput } from './TagsInput.tsx'
import { useOpened } from '#web/platform/ui/use-opened.ts'

/** A contact's tags, with a way to change them. */
export function ContactTags({ contact }: { contact: Contact }) {
  const dialog = useOpened<Contact>()
  return (
    <div className="flex flex-wrap items-center gap-1">
      <TagLine tags={contact.tags} atMost={12} />
      <button
        type="button"
        onClick={() => dialog.show(contact)}
        className="inline-flex h-5.5 items-center gap-1 rounded-sm border border-dashed border-control/70 px-1.5 text-xs text-ink-2 transition-colors hover:border-control hover:text-ink pointer-coarse:h-9"
      >
        <Plus aria-hidden className="size-3" />
        Edit tags
      </button>
      {dialog.turn === 0 ? null : <TagsOfContact key={dialog.turn} {...dialog.props} contact={contact} />}
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
      submit="Save Changes"
    >
      <Field label="Tags" className="min-h-44">
        <TagsInput isGiven value={names} onChange={setNames} />
      </Field>
    </Dialog>
  )
}
