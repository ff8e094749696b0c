import { useState } from 'react'
import { type DeadJob, DEAD_JOBS_MAX, systemHealth } from '#contract/operations/system-health.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { dateAndTime } from '#web/platform/dates/mail-age.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { useAdminCommand, useAdminEndpoint } from '../admin-calls.ts'

const REFRESHES = [systemHealth.deadJobs]
const FAILED = 'Failed to change the job'
const jobs = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'job' : 'jobs'}`

/** Jobs that failed every attempt: what, whose, when and why. */
export function DeadJobs() {
  const query = useAdminEndpoint(systemHealth.deadJobs)
  const dropping = useOpened<DeadJob | 'all'>()
  const reactions = {
    refreshes: REFRESHES,
    onSuccess: ({ changed }: { changed: number }) =>
      void toast.success(`${jobs(changed)} will be tried again`),
    onError: (fault: unknown) => void toast.error(sentenceOf(fault, FAILED)),
  }
  const retry = useAdminCommand(systemHealth.retryJob, reactions)
  const retryAll = useAdminCommand(systemHealth.retryJobs, reactions)
  const total = query.data?.total ?? 0
  return (
    <Card
      title="Dead jobs"
      flush
      actions={
        total > 1 ? (
          <>
            <Button size="s" busy={retryAll.isPending} onClick={() => retryAll.mutate({})}>
              Try all again
            </Button>
            <Button size="s" onClick={() => dropping.show('all')}>
              Drop all
            </Button>
          </>
        ) : undefined
      }
    >
      <Loaded
        query={query}
        failed="Failed to load dead jobs"
        waiting={
          <div aria-busy="true" className="flex flex-col gap-3 px-4 pb-4">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        }
      >
        {({ jobs: dead }) => (
          <List
            dead={dead}
            total={total}
            retrying={
              retry.isPending ? (retry.variables?.params as { id: string } | undefined)?.id : undefined
            }
            onRetry={(id) => retry.mutate({ params: { id } })}
            onDrop={dropping.show}
          />
        )}
      </Loaded>
      {dropping.what === null ? null : (
        <DropDialog key={dropping.turn} {...dropping.props} what={dropping.what} total={total} />
      )}
    </Card>
  )
}

type DropDialogProps = { open: boolean; onClose: () => void; what: DeadJob | 'all'; total: number }

function DropDialog({ open, onClose, what, total }: DropDialogProps) {
  // The list is empty before the dialog has closed.
  const [all] = useState(() => jobs(total))
  const onDropped = {
    refreshes: REFRESHES,
    onSuccess: ({ changed }: { changed: number }) => {
      toast.success(`${jobs(changed)} dropped`)
      onClose()
    },
  }
  const drop = useAdminCommand(systemHealth.dropJob, onDropped)
  const dropAll = useAdminCommand(systemHealth.dropJobs, onDropped)
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={what === 'all' ? `Drop ${all}?` : `Drop “${what.title}”?`}
      action={what === 'all' ? `Drop ${all}` : 'Drop job'}
      danger
      busy={drop.isPending || dropAll.isPending}
      error={drop.error?.detail ?? dropAll.error?.detail}
      onConfirm={() => (what === 'all' ? dropAll.mutate({}) : drop.mutate({ params: { id: what.id } }))}
    >
      The failures are taken off this list. The run itself is still tried again every few minutes, until it is
      done or its owner cancels it.
    </ConfirmDialog>
  )
}

function List(props: {
  dead: readonly DeadJob[]
  total: number
  retrying: string | undefined
  onRetry: (id: string) => void
  onDrop: (job: DeadJob) => void
}) {
  const { dead, total, retrying, onRetry, onDrop } = props
  if (dead.length === 0)
    return <p className="px-4 pb-4 text-ink-2">No job has failed every attempt. They would be listed here.</p>
  return (
    <ul aria-label="Dead jobs" className="border-t border-line">
      {dead.map((job) => (
        <li
          key={job.id}
          aria-label={job.title}
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-3 last:border-0"
        >
          <div className="min-w-0 flex-1 basis-72">
            <p className="font-medium">
              {job.title}
              <span className="font-normal text-ink-2">
                {job.user_id === null ? '' : ` · ${job.user_email ?? `User ${job.user_id}`}`}
              </span>
            </p>
            <p className="wrap-anywhere">{job.error}</p>
            <p className="text-sm text-ink-2">
              Failed {dateAndTime(new Date(job.failed_at), currentTimeZone())} after {job.attempts}{' '}
              {job.attempts === 1 ? 'attempt' : 'attempts'}
            </p>
          </div>
          <div className="flex gap-2">
            <Button size="s" busy={retrying === job.id} onClick={() => onRetry(job.id)}>
              Try again
            </Button>
            <Button size="s" variant="plain" onClick={() => onDrop(job)}>
              Drop
            </Button>
          </div>
        </li>
      ))}
      {total > dead.length ? (
        <li className="px-4 py-3 text-ink-2">
          The newest {DEAD_JOBS_MAX} of {total.toLocaleString('en')} are shown.
        </li>
      ) : null}
    </ul>
  )
}
