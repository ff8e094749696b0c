import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { App } from '#web/App.tsx'
import { paths } from '#web/platform/paths.ts'
import { firstViewIsShown } from '#web/platform/ui/first-view.ts'
import { prefetchOverlays } from '#web/platform/ui/overlays.ts'
import { LazyWizard, warmWizard } from './LazyWizard.tsx'

export { warmWizard }

type Props = { open: boolean; onClose: () => void; onAway: (away: boolean) => void }

/** The app as the landing page takes it in: at `/` it is only the wizard, anywhere else it is everything. */
export function AfterStart({ open, onClose, onAway }: Props) {
  useEffect(() => {
    firstViewIsShown()
    prefetchOverlays()
  }, [])
  return <App home={<LazyWizard open={open} onClose={onClose} />} watch={<AwayWatch onAway={onAway} />} />
}

function AwayWatch({ onAway }: Pick<Props, 'onAway'>) {
  const { pathname } = useLocation()
  useEffect(() => onAway(pathname !== paths.home), [pathname, onAway])
  return null
}
