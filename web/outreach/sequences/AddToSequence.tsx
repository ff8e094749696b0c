import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Selection } from '#contract/crm/contacts.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { outreachPaths } from '../runs/outreach-tabs.ts'
import { counted } from '../runs/run-text.ts'
import { sequencePath } from './sequence-path.ts'
import { STATE_WORDS } from './sequence-text.ts'
import { EnrolDialog } from './EnrolDialog.tsx'

type AddToSequenceProps = {
  open: boolean
  onClose: () => void
  selection: { count: number; asked: Selection }
  onDone: () => void
}

/** Puts the contacts that are selected on the Contacts page into a sequence. */
export function AddToSequence({ open, onClose, selection, onDone }: AddToSequenceProps) {
  // The dialog still shows its count while it closes.
  const [{ count, asked }] = useState(selection)
  const [chosen, setChosen] = useState<string | null>(null)
  const navigate = useNavigate()
  const query = useEndpoint(sequences.list)
  const usable = query.data?.filter(({ state }) => state !== 'ended') ?? []
  const sequence = usable.find(({ id }) => String(id) === chosen) ?? usable[0]
  return (
    <EnrolDialog
      open={open}
      onClose={onClose}
      onDone={(id) => {
        onClose()
        onDone()
        void navigate(sequencePath(id))
      }}
      title={`Add ${counted(count, 'contact')} to a sequence`}
      enrolment={sequence === undefined ? null : { sequence, selection: asked }}
      action="Add"
      instead={
        query.data !== undefined && sequence === undefined ? (
          <Link to={outreachPaths.sequences} className={buttonClass('primary')}>
            Make a sequence
          </Link>
        ) : undefined
      }
    >
      <Loaded query={query} failed="Failed to load the sequences" waiting={<Skeleton className="h-14" />}>
        {() =>
          sequence === undefined ? (
            <p className="text-ink-2">You have no sequence yet.</p>
          ) : (
            <Field
              label="Sequence"
              help={
                sequence.state === 'running'
                  ? 'It is running: they begin at once, at the hours in which it writes.'
                  : sequence.state === 'draft'
                    ? 'It is a draft: they wait until you start it.'
                    : 'It is paused: they wait until it goes on.'
              }
            >
              <Select
                value={String(sequence.id)}
                onChange={({ target }) => setChosen(target.value)}
                options={usable.map(({ id, name, state }) => ({
                  value: String(id),
                  label: `${name} (${STATE_WORDS[state].word.toLowerCase()})`,
                }))}
              />
            </Field>
          )
        }
      </Loaded>
    </EnrolDialog>
  )
}
