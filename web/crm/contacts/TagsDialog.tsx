import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { contacts } from '#contract/crm/contacts.ts'
import {
  type CountedTag,
  TAG_COLOURS,
  TAG_NAME_MAX,
  type TagColour,
  tags as tagCalls,
} from '#contract/crm/tags.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { contactsIn } from './bulk-text.ts'
import { lossText, useTagUses } from './sequences-of-tag.ts'
import { TagChip } from './TagChip.tsx'

const REFRESHES = [tagCalls.list, contacts.list, contacts.get]
const COLOUR_WORDS: Record<TagColour, string> = {
  gray: 'Gray',
  purple: 'Purple',
  blue: 'Blue',
  green: 'Green',
  amber: 'Amber',
  red: 'Red',
  moon: 'Indigo',
}
const COLOUR_OPTIONS = TAG_COLOURS.map((value) => ({ value, label: COLOUR_WORDS[value] }))

/** All tags: create, rename, recolour, delete. */
export function TagsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const query = useEndpoint(tagCalls.list, { query: { counts: 'true' } })
  const [fault, setFault] = useState<string | null>(null)
  const { what: doomed, turn, show, props } = useOpened<CountedTag>()
  const say = (failure: unknown) => setFault(sentenceOf(failure, 'Failed to update tag'))
  const update = useCommand(tagCalls.update, {
    refreshes: REFRESHES,
    onSuccess: () => setFault(null),
    onError: say,
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Manage tags"
      error={fault}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <NewTag onFault={setFault} />
      <Loaded query={query} failed="Failed to load tags" waiting={<Skeleton className="h-20 w-full" />}>
        {(tags) =>
          tags.length === 0 ? (
            <p className="py-4 text-ink-2">
              No tags yet. Use tags to group contacts that belong together: VIP, Trade fair, Supplier.
            </p>
          ) : (
            <ul aria-label="Tags" className="divide-y divide-line">
              {tags.map((tag) => (
                <li key={tag.id} className="flex flex-wrap items-center gap-2 py-2">
                  <TagName
                    tag={tag}
                    onRename={(name) => update.mutate({ params: { id: tag.id }, body: { name } })}
                  />
                  <Select
                    aria-label={`Colour of ${tag.name}`}
                    className="w-28"
                    value={tag.colour}
                    options={COLOUR_OPTIONS}
                    onChange={(event) =>
                      update.mutate({
                        params: { id: tag.id },
                        body: { colour: event.target.value as TagColour },
                      })
                    }
                  />
                  <span className="flex w-30 items-center justify-end gap-1 text-sm text-ink-2 tabular-nums">
                    {contactsIn(tag.contacts ?? 0)}
                    <IconButton
                      label={`Delete tag ${tag.name}`}
                      size="s"
                      danger
                      icon={<Trash2 />}
                      onClick={() => show(tag)}
                    />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {doomed === null ? null : <DeleteTag key={turn} {...props} tag={doomed} />}
    </Dialog>
  )
}

function DeleteTag({ tag, open, onClose }: { tag: CountedTag; open: boolean; onClose: () => void }) {
  const uses = useTagUses()
  const remove = useCommand(tagCalls.remove, {
    refreshes: REFRESHES,
    onSuccess: () => {
      onClose()
      toast.success('Tag deleted')
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete tag “${tag.name}”?`}
      action="Delete"
      danger
      isWorkedOut={uses !== undefined}
      busy={remove.isPending}
      error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to delete tag')}
      onConfirm={() => remove.mutate({ params: { id: tag.id } })}
    >
      It will be removed from {contactsIn(tag.contacts ?? 0)}. The contacts stay.{' '}
      {lossText(uses ?? [], tag.name)}
    </ConfirmDialog>
  )
}

function NewTag({ onFault }: { onFault: (fault: string | null) => void }) {
  const [name, setName] = useState('')
  const add = useCommand(tagCalls.add, {
    refreshes: [tagCalls.list],
    onSuccess: () => {
      setName('')
      onFault(null)
    },
    onError: (error) => onFault(sentenceOf(error, 'Failed to add tag')),
  })
  const send = () => name.trim() !== '' && add.mutate({ body: { name } })
  return (
    <div className="flex gap-2 pb-3">
      <TextInput
        aria-label="New tag"
        placeholder="New tag"
        maxLength={TAG_NAME_MAX}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          send()
        }}
        autoComplete="off"
      />
      <Button busy={add.isPending} onClick={send}>
        Add
      </Button>
    </div>
  )
}

/** A tag's name, edited in place: Enter or leaving the field saves, Esc cancels. */
function TagName({ tag, onRename }: { tag: CountedTag; onRename: (name: string) => void }) {
  const [draft, setDraft] = useState<string | null>(null)
  const save = () => {
    if (draft !== null && draft.trim() !== '' && draft.trim() !== tag.name) onRename(draft)
    setDraft(null)
  }
  return (
    <span className="flex min-w-48 flex-1 items-center gap-2">
      <span aria-hidden className="flex w-24 shrink-0">
        <TagChip tag={tag} className="max-w-full" />
      </span>
      <TextInput
        aria-label={`Name of ${tag.name}`}
        value={draft ?? tag.name}
        maxLength={TAG_NAME_MAX}
        autoComplete="off"
        onChange={(event) => setDraft(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
          else if (event.key === 'Escape' && draft !== null) {
            event.stopPropagation()
            setDraft(null)
          }
        }}
      />
    </span>
  )
}
