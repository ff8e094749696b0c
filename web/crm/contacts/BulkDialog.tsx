import { useState } from 'react'
import { tags as tagCalls } from '#contract/crm/tags.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { contactsIn } from './bulk-text.ts'
import { TagsInput } from './TagsInput.tsx'
import { useBulkActions } from './use-bulk-actions.ts'
import type { ContactSelection } from './use-contact-selection.ts'

export type BulkAction = 'tag' | 'untag' | 'stop' | 'lift' | 'delete'

type BulkDialogProps = {
  action: BulkAction
  open: boolean
  onClose: () => void
  selection: Pick<ContactSelection, 'count' | 'asked'>
  onDone: () => void
}

/** Asks for the input or confirmation that a bulk action needs, then performs it. */
export function BulkDialog({ action, selection, onDone, ...rest }: BulkDialogProps) {
  // The dialog still shows its count while it closes.
  const [{ count, asked }] = useState(selection)
  const many = contactsIn(count)
  const commands = useBulkActions(() => {
    rest.onClose()
    onDone()
  })
  const { TIMEOUT_MS: timeoutMs } = commands
  if (action === 'tag' || action === 'untag') {
    const command = commands[action]
    return (
      <TagDialog
        {...rest}
        action={action}
        many={many}
        busy={command.isPending}
        error={command.error === null ? null : sentenceOf(command.error, 'Failed to update contact')}
        onTag={(tag) => command.mutate({ body: { ...asked, tag }, timeoutMs })}
      />
    )
  }
  const command = { stop: commands.stop, lift: commands.lift, delete: commands.remove }[action]
  const { title, text, button, fault } = QUESTIONS[action](many, count)
  return (
    <ConfirmDialog
      {...rest}
      title={title}
      action={button}
      danger={action === 'delete'}
      busy={command.isPending}
      error={command.error === null ? null : sentenceOf(command.error, fault)}
      onConfirm={() => command.mutate({ body: asked, timeoutMs })}
    >
      {text}
    </ConfirmDialog>
  )
}

const QUESTIONS = {
  delete: (many: string, count: number) => ({
    title: `Delete ${many}?`,
    text: 'Notes and tags will be deleted too. You can undo this for an hour. Emails and meetings stay.',
    button: count === 1 ? 'Delete' : `Delete ${many}`,
    fault: 'Failed to delete contact',
  }),
  stop: (many: string) => ({
    title: `Stop mailing ${many}?`,
    text: 'These addresses get no more mail until you allow it again. This includes outreach and mail already waiting to be sent.',
    button: 'Stop mailing',
    fault: 'Failed to update contact',
  }),
  lift: (many: string) => ({
    title: `Allow mailing ${many}?`,
    text: 'People who said no will get automatic emails again. People who unsubscribed or complained stay off your list. Only they can change that.',
    button: 'Allow mailing',
    fault: 'Failed to update contact',
  }),
}

type TagDialogProps = {
  action: 'tag' | 'untag'
  many: string
  open: boolean
  onClose: () => void
  busy: boolean
  error: string | null
  onTag: (tag: string) => void
}

function TagDialog({ action, many, open, onClose, busy, error, onTag }: TagDialogProps) {
  const { data: known = [] } = useEndpoint(tagCalls.list)
  const [name, setName] = useState('')
  const [isAsked, setAsked] = useState(false)
  const wanted = action === 'untag' && name === '' ? (known[0]?.name ?? '') : name
  const title = action === 'tag' ? `Tag ${many}` : `Remove a tag from ${many}`
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      size="s"
      busy={busy}
      error={error}
      onSubmit={() => (wanted === '' ? setAsked(true) : onTag(wanted))}
      submit={action === 'tag' ? 'Add tag' : 'Remove tag'}
      submitDisabled={action === 'untag' && known.length === 0}
    >
      {action === 'tag' ? (
        <Field
          label="Tag"
          error={isAsked && name === '' ? 'Please choose a tag' : undefined}
          className="min-h-44"
        >
          <TagsInput
            single
            isGiven
            value={name === '' ? [] : [name]}
            onChange={(names) => setName(names.at(-1) ?? '')}
          />
        </Field>
      ) : known.length === 0 ? (
        <p className="text-ink-2">You have no tags yet.</p>
      ) : (
        <Field label="Tag">
          <Select
            value={wanted}
            onChange={(event) => setName(event.target.value)}
            options={known.map((tag) => ({ value: tag.name, label: tag.name }))}
          />
        </Field>
      )}
    </Dialog>
  )
}
