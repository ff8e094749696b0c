import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { sequences, type SequenceSummary } from '#contract/outreach/sequences.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useStoppedAccount } from '#web/outreach/automatic-mail/use-stopped-account.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Cell, Table, TableRow } from '#web/platform/ui/Table.tsx'
import { ExampleChoice } from './ExampleChoice.tsx'
import { sequencePath } from './sequence-path.ts'
import { peopleIn, sizeText, STANDS_STILL, STATE_WORDS, timeText } from './sequence-text.ts'

const NewSequence = lazy(() => import('./NewSequence.tsx').then((part) => ({ default: part.NewSequence })))

const WIDE = 'hidden md:table-cell'
const COLUMNS = [
  { key: 'name', title: 'Sequence' },
  { key: 'state', title: 'State', className: 'w-28' },
  { key: 'active', title: 'Under way', align: 'right' as const, className: `w-28 ${WIDE}` },
  { key: 'replied', title: 'Replied', align: 'right' as const, className: `w-24 ${WIDE}` },
  { key: 'next', title: 'Next step', className: `w-48 ${WIDE}` },
]

/** All sequences; without any, the examples to begin with. */
export function SequenceList() {
  useDocumentTitle('Sequences')
  const timeZone = useTimeZone()
  const stoppedAccountOf = useStoppedAccount()
  const [dialog, setDialog] = useState({ open: false, turn: 0 })
  const { data, error, refetch, isFetching } = usePage(sequences.list)
  if (data === undefined && error !== null)
    return (
      <Card>
        <ErrorState
          message={sentenceOf(error, 'Failed to load the sequences')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
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
            onClick={() => setDialog({ open: true, turn: dialog.turn + 1 })}
          >
            New sequence
          </Button>
        }
      >
        <Table label="Sequences" columns={COLUMNS} loading={data === undefined} skeletonRows={4}>
          {data?.rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              isStill={row.state === 'running' && stoppedAccountOf(row.mailbox_id) !== undefined}
              timeZone={timeZone}
            />
          ))}
        </Table>
        <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">
          Times are in {timeZone.replaceAll('_', ' ')}.
        </p>
      </Card>
      <Suspense fallback={null}>
        {dialog.turn === 0 ? null : (
          <NewSequence
            key={dialog.turn}
            open={dialog.open}
            onClose={() => setDialog({ ...dialog, open: false })}
          />
        )}
      </Suspense>
    </>
  )
}

type RowProps = { row: SequenceSummary; isStill: boolean; timeZone: string }

function Row({ row, isStill, timeZone }: RowProps) {
  const { word, tone } = STATE_WORDS[row.state]
  const people = peopleIn(row)
  return (
    <TableRow>
      <Cell className="max-w-0 py-2.5">
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
        {isStill ? <p className="text-sm text-amber md:hidden">{STANDS_STILL}</p> : null}
      </Cell>
      <Cell>
        <Badge tone={tone}>{word}</Badge>
      </Cell>
      <Cell align="right" className={WIDE}>
        {row.members.active.toLocaleString('en')}
        {people > row.members.active ? (
          <span className="text-ink-2"> of {people.toLocaleString('en')}</span>
        ) : null}
      </Cell>
      <Cell align="right" className={WIDE}>
        {row.replied.toLocaleString('en')}
      </Cell>
      <Cell className={`${WIDE} whitespace-nowrap`}>
        {isStill ? (
          <span className="text-amber">{STANDS_STILL}</span>
        ) : row.state === 'running' && row.next_at !== null ? (
          timeText(row.next_at, timeZone)
        ) : (
          <span className="text-ink-2">–</span>
        )}
      </Cell>
    </TableRow>
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
