import { X } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import type { Batch } from '#contract/outreach/runs.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { CancelRunDialog } from './CancelRunDialog.tsx'
import { aboutOf, endingOf, headingOf, isUnderWay, mailsOf, progressOf, settledOf } from './run-text.ts'
import { useCurrentRun } from './use-current-run.ts'
import { useRunCommands } from './use-run-commands.ts'
import { WithoutModelDialog } from './WithoutModelDialog.tsx'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const KEY = 'outreach.dismissedRun'

/** True if the user has dismissed the result of this run. */
const isDismissed = (batchId: number): boolean => localStorage.getItem(KEY) === String(batchId)

/** Dismisses the result of a run on this device. */
const dismissRun = (batchId: number): void => localStorage.setItem(KEY, String(batchId))

/** The end of a run is shown for a day. */
const NEWS_MS = 24 * 3_600_000

const ResultsDialog = lazyPart(() => import('./ResultsDialog.tsx'), 'ResultsDialog')

/** The newest run on the dashboard: its progress, and for a day its result. */
export function RunProgress() {
  const { data: run, dataUpdatedAt } = useCurrentRun()
  const [dismissed, setDismissed] = useState<number | null>(null)
  const [results, setResults] = useState<'never' | 'open' | 'closed'>('never')
  if (run === null || run === undefined) return null
  const dismiss = () => {
    dismissRun(run.batch_id)
    setDismissed(run.batch_id)
  }
  const isOld = run.finished_at !== null && dataUpdatedAt - Date.parse(run.finished_at) > NEWS_MS
  if (run.done && (isOld || dismissed === run.batch_id || isDismissed(run.batch_id))) return null
  const showResults = (
    <Button size="s" onClick={() => setResults('open')}>
      See results
    </Button>
  )
  return (
    <>
      {isUnderWay(run) ? (
        <UnderWay run={run}>{showResults}</UnderWay>
      ) : (
        <Ended run={run} onDismiss={dismiss}>
          {showResults}
        </Ended>
      )}
      {results === 'never' ? null : (
        <Suspense fallback={null}>
          <ResultsDialog run={run} open={results === 'open'} onClose={() => setResults('closed')} />
        </Suspense>
      )}
    </>
  )
}

function UnderWay({ run, children }: { run: Batch; children: ReactNode }) {
  const [asking, setAsking] = useState<'cancel' | 'template' | null>(null)
  const { pause, resume, cancel, withoutModel, holding, cancelling, switching } = useRunCommands(run)
  const paused = run.state === 'paused'
  const close = () => setAsking(null)
  // The reason and "Go on" stand above, in the notice of the account.
  const waiting =
    run.waits?.kind === 'stopped' ? 'It waits until the automatic emails go on.' : run.waiting_for
  return (
    <Card title={headingOf(run)}>
      {aboutOf(run) === null ? null : <p className="mb-3 text-ink-2 wrap-anywhere">{aboutOf(run)}</p>}
      <ProgressBar label={headingOf(run)} value={settledOf(run)} max={Math.max(1, mailsOf(run))} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <p className="tabular-nums">{progressOf(run)}</p>
          {waiting === null ? null : <p className="text-ink-2 wrap-anywhere">{waiting}</p>}
          {run.error === null ? null : <p className="text-danger">{run.error}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          {children}
          {run.waits?.kind === 'model' ? (
            <Button size="s" onClick={() => setAsking('template')}>
              Write the rest from the template
            </Button>
          ) : null}
          <Button size="s" busy={holding} onClick={paused ? resume : pause}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
          <Button size="s" onClick={() => setAsking('cancel')}>
            Cancel run
          </Button>
        </div>
      </div>
      <CancelRunDialog
        run={run}
        open={asking === 'cancel'}
        busy={cancelling}
        onClose={close}
        onConfirm={() => cancel(close)}
      />
      <WithoutModelDialog
        run={run}
        open={asking === 'template'}
        busy={switching}
        onClose={close}
        onConfirm={() => withoutModel(close)}
      />
    </Card>
  )
}

function Ended({ run, onDismiss, children }: { run: Batch; onDismiss: () => void; children: ReactNode }) {
  const { data: mailbox } = useEndpoint(mailboxes.get)
  const actions = (
    <>
      {children}
      <IconButton size="s" label="Dismiss" icon={<X />} onClick={onDismiss} />
    </>
  )
  return (
    <Card title={headingOf(run)} actions={actions}>
      {aboutOf(run) === null ? null : <p className="wrap-anywhere">{aboutOf(run)}</p>}
      <p className="text-ink-2">{endingOf(run)}</p>
      {run.error === null ? null : <p className="text-danger">{run.error}</p>}
      {mailbox?.practice === true && run.summary.sent > 0 ? (
        <p className="text-ink-2">
          This was the practice mailbox: invented people answer within a minute. Watch the response rate.
        </p>
      ) : null}
    </Card>
  )
}
