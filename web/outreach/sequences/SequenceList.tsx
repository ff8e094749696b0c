import { Plus } from 'lucide-react'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { sequences, type SequenceSummary } from '#contract/outreach/sequences.ts'
import { comingTime } from '#web/platform/dates/coming-time.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useMailWait } from '#web/mail/mailboxes/use-mail-wait.ts'
import { useStoppedAccount } from '#web/outreach/automatic-mail/use-stopped-account.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Table } from '#web/platform/ui/Table.tsx'
import { ExampleChoice } from './ExampleChoice.tsx'
import { sequencePath } from './sequence-path.ts'
import { peopleIn, sizeText, STANDS_STILL, STATE_WORDS } from './sequence-text.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const NewSequence = lazyPart(() => import('./NewSequence.tsx'), 'NewSequence')

const WIDE = 'hidden md:table-cell'
/** All sequences; without any, the examples to begin with. */
export function SequenceList() {
  useDocumentTitle('Sequences')
  const timeZone = useTimeZone()
  const stoppedAccountOf = useStoppedAccount()
  const dialog = useOpened<'new'>()
  const waits = useMailWait()
  /** Said in place of a time, of one that is running and does not go on; null: it does. */
  const stillOf = ({ state, mailbox_id: mailbox }: SequenceSummary) =>
    state === 'running' ? (waits ?? (stoppedAccountOf(mailbox) === undefined ? null : STANDS_STILL)) : null
  const query = usePage(sequences.list)
  const { data, error } = query
  if (data === undefined && error !== null)
    return (
      <Card>
        <LoadFailed query={query} message={sentenceOf(error, 'Failed to load the sequences')} />
      </Card>
    )
  if (data?.total === 0) return <FirstSequence />
  return (
    <>
      <Card
        flush
        title="Sequences"
        actions={
          <Button
            variant="primary"
            icon={<Plus aria-hidden className="size-4" />}
            onClick={() => dialog.show('new')}
          >
            New sequence
          </Button>
        }
      >
        <Table
          label="Sequences"
          rows={data?.rows}
          keyOf={({ id }) => id}
          skeletonRows={4}
          columns={{
            name: {
              title: 'Sequence',
              cellClass: 'max-w-0 py-2.5',
              render: (row) => <Name row={row} still={stillOf(row)} />,
            },
            state: {
              title: 'State',
              className: 'w-28',
              render: ({ state }) => <Badge tone={STATE_WORDS[state].tone}>{STATE_WORDS[state].word}</Badge>,
            },
            active: {
              title: 'Under way',
              align: 'right',
              className: `w-28 ${WIDE}`,
              render: (row) => (
                <>
                  {row.members.active.toLocaleString('en')}
                  {peopleIn(row) > row.members.active ? (
                    <span className="text-ink-2"> of {peopleIn(row).toLocaleString('en')}</span>
                  ) : null}
                </>
              ),
            },
            replied: {
              title: 'Replied',
              align: 'right',
              className: `w-24 ${WIDE}`,
              render: (row) => row.replied.toLocaleString('en'),
            },
            next: {
              title: 'Next step',
              className: `w-48 ${WIDE}`,
              cellClass: 'whitespace-nowrap',
              render: (row) =>
                stillOf(row) !== null ? (
                  <span className="whitespace-normal text-amber">{stillOf(row)}</span>
                ) : row.state === 'running' && row.next_at !== null ? (
                  comingTime(row.next_at, timeZone)
                ) : (
                  <span className="text-ink-2">–</span>
                ),
            },
          }}
        />
        <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">
          Times are in {timeZone.replaceAll('_', ' ')}.
        </p>
      </Card>
      <Suspense fallback={null}>
        {dialog.what === null ? null : <NewSequence key={dialog.turn} {...dialog.props} />}
      </Suspense>
    </>
  )
}

function Name({ row, still }: { row: SequenceSummary; still: string | null }) {
  return (
    <>
      <Link
        to={sequencePath(row.id)}
        className="block w-fit max-w-full truncate rounded-sm font-medium hover:text-accent hover:underline"
      >
        {row.name}
      </Link>
      <p className="truncate text-sm text-ink-2">{sizeText(row)}</p>
      <p className="truncate text-sm text-ink-2 md:hidden">
        {row.members.active.toLocaleString('en')} under way, {row.replied.toLocaleString('en')} replied
      </p>
      {still === null ? null : <p className="text-sm text-amber md:hidden">{still}</p>}
    </>
  )
}

function FirstSequence() {
  return (
    <Card>
      <div className="mx-auto flex max-w-160 flex-col gap-5 py-6">
        <div>
          <h2 className="font-display text-lg font-medium">Emails that follow each other by themselves</h2>
          <p className="pt-1 text-ink-2">
            Write the steps once: an email, a few days of waiting, another email, a task for you. Howl goes
            through them with each contact, and stops when somebody answers. Begin with an example; nothing is
            sent before you start it.
          </p>
        </div>
        <ExampleChoice />
      </div>
    </Card>
  )
}
