import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { contacts } from '#contract/crm/contacts.ts'
import type { Sequence } from '#contract/outreach/sequences.ts'
import { tags as tagCalls } from '#contract/crm/tags.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { STATUS_FILTER_OPTIONS } from '#web/crm/contacts/contact-text.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { counted } from '../runs/run-text.ts'
import { EnrolDialog } from './EnrolDialog.tsx'
import { useOpened } from '#web/platform/ui/use-opened.ts'

/** A button whose dialog puts contacts into a sequence, by status and tag. */
export function AddPeople({ sequence }: { sequence: Sequence }) {
  const dialog = useOpened<Sequence>()
  if (sequence.state === 'ended') return null
  return (
    <>
      <Button
        size="s"
        icon={<UserPlus aria-hidden className="size-3.5" />}
        onClick={() => dialog.show(sequence)}
      >
        Add contacts
      </Button>
      {dialog.turn === 0 ? null : <PeopleDialog key={dialog.turn} {...dialog.props} sequence={sequence} />}
    </>
  )
}

type PeopleDialogProps = { sequence: Sequence; open: boolean; onClose: () => void }

function PeopleDialog({ sequence, open, onClose }: PeopleDialogProps) {
  const [status, setStatus] = useState('all')
  const [tag, setTag] = useState('')
  const { data: tags = [] } = useEndpoint(tagCalls.list)
  const filter = {
    ...(status === 'all' ? {} : { status: status as 'new' }),
    ...(tag === '' ? {} : { tag }),
  }
  const count = useEndpoint(contacts.count, { query: filter })
  const total = count.data?.total
  return (
    <EnrolDialog
      open={open}
      onClose={onClose}
      onDone={onClose}
      title={`Add contacts to “${sequence.name}”`}
      description={
        sequence.state === 'draft'
          ? 'They wait until you start it.'
          : sequence.state === 'paused'
            ? 'They wait until it goes on.'
            : 'They begin at once, at the hours in which it writes.'
      }
      enrolment={
        total === undefined || total === 0 ? null : { sequence, selection: { filter, expected: total } }
      }
      action={total === undefined ? 'Add contacts' : `Add ${counted(total, 'contact')}`}
      isCounting={total === undefined}
    >
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="Status">
            <Select
              value={status}
              onChange={({ target }) => setStatus(target.value)}
              options={STATUS_FILTER_OPTIONS}
            />
          </Field>
          <Field label="Tag">
            <Select
              value={tag}
              onChange={({ target }) => setTag(target.value)}
              options={[
                { value: '', label: 'Any or none' },
                ...tags.map(({ name }) => ({ value: name, label: name })),
              ]}
            />
          </Field>
        </div>
        <p className="text-sm text-ink-2">
          Anyone who said no, unsubscribed or is already enrolled is skipped. To choose one by one, select
          them on{' '}
          <Link to={paths.contacts} className="text-link">
            Contacts
          </Link>{' '}
          and press “Add to a sequence”.
        </p>
      </div>
    </EnrolDialog>
  )
}
