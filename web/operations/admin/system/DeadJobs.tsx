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
import { useAdminCommand, useAdminEndpoint } from '../admin-calls.ts'

const REFRESHES = [systemHealth.deadJobs]
const FAILED = 'Failed to change the job'
const jobs = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'job' : 'jobs'}`

/** Jobs that failed every attempt: what, whose, when and why. */
export function DeadJobs() {
  const query = useAdminEndpoint(systemHealth.deadJobs)
  const [dropping, setDropping] = useState<DeadJob | 'all' | null>(null)
  const told = (what: string) => ({
    refreshes: REFRESHES,
    onSuccess: ({ changed }: { changed: number }) => void toast.success(`${jobs(changed)} ${what}`),
  })
  const onError = (fault: unknown) => void toast.error(sentenceOf(fault, FAILED))
  const retry = useAdminCommand(systemHealth.retryJob, { ...told('will be tried again'), onError })
  const retryAll = useAdminCommand(systemHealth.retryJobs, { ...told('will be tried again'), onError })
  const dropped = told('dropped')
  const onDropped = {
    ...dropped,
    onSuccess: (reply: { changed: number }) => {
      dropped.onSuccess(reply)
      setDropping(null)
    },
  }
  const drop = useAdminCommand(systemHealth.dropJob, onDropped)
  const dropAll = useAdminCommand(systemHealth.dropJobs, onDropped)
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
            <Button size="s" onClick={() => setDropping('all')}>
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
            onDrop={setDropping}
          />
        )}
      </Loaded>
      <ConfirmDialog
        open={dropping !== null}
        onClose={() => {
          setDropping(null)
          drop.reset()
          dropAll.reset()
        }}
        title={dropping === 'all' ? `Drop ${jobs(total)}?` : `Drop “${dropping?.title ?? ''}”?`}
        action={dropping === 'all' ? `Drop ${jobs(total)}` : 'Drop job'}
        danger
        busy={drop.isPending || dropAll.isPending}
        error={drop.error?.detail ?? dropAll.error?.detail}
        onConfirm={() => {
          if (dropping === 'all') dropAll.mutate({})
          else if (dropping !== null) drop.mutate({ params: { id: dropping.id } })
        }}
      >
        The failures are taken off this list. The run itself is still tried again every few minutes, until it
        is done or its owner cancels it.
      </ConfirmDialog>
    </Card>
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
