import { Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { WorkBar, type WorkItem } from '#web/platform/ui/WorkBar.tsx'
import { noteRun } from './run-end.ts'
import { headingOf, isUnderWay, mailsOf, progressOf, settledOf } from './run-text.ts'
import { useCurrentRun } from './use-current-run.ts'
import { useRunCommands } from './use-run-commands.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

// Used on every page, but only while a run is in progress.
const CancelRunDialog = lazyPart(() => import('./CancelRunDialog.tsx'), 'CancelRunDialog')

/**
 * The run in progress, in the work bar below the navigation, with the dialog that cancels it. It also reports the end
 * of a run, so it belongs on every page.
 */
export function RunWork() {
  const { data: run } = useCurrentRun()
  const { pathname } = useLocation()
  const [asking, setAsking] = useState(false)
  const { pause, resume, cancel, cancelling } = useRunCommands(run)
  useEffect(() => {
    if (run) noteRun(run)
  }, [run])
  if (!run) return null

  const close = () => setAsking(false)
  const dialog = (
    <Suspense fallback={null}>
      <CancelRunDialog
        run={run}
        open={asking && !run.done}
        busy={cancelling}
        onClose={close}
        onConfirm={() => cancel(close)}
      />
    </Suspense>
  )
  // The dashboard shows the run's own card, with the same progress and buttons.
  if (!isUnderWay(run) || pathname === paths.dashboard) return dialog
  const item: WorkItem = {
    id: `run-${run.batch_id}`,
    label: headingOf(run),
    note: run.state === 'running' ? (run.waiting_for ?? progressOf(run)) : progressOf(run),
    progress: { value: settledOf(run), max: Math.max(1, mailsOf(run)) },
    actions: [
      run.state === 'paused' ? { label: 'Resume', onAction: resume } : { label: 'Pause', onAction: pause },
      { label: 'Cancel run', onAction: () => setAsking(true) },
    ],
  }
  return (
    <>
      <WorkBar items={[item]} />
      {dialog}
    </>
  )
}
