import { useState } from 'react'
import { Button } from '#web/platform/ui/Button.tsx'
import { alertState, wishAlerts } from './alert-wish.ts'

/** Offers browser notifications in addition to mail reminders; the browser asks for permission only after the click. */
export function AlertChoice() {
  const [state, setState] = useState(alertState)
  if (state === 'impossible') return null
  return (
    <div className="flex flex-col items-start gap-1.5 max-sm:col-span-2 sm:pt-6.5">
      {state === 'wished' ? (
        <>
          <Button onClick={() => void wishAlerts(false).then(setState)}>Stop notifications here</Button>
          <p className="text-sm text-ink-2">This browser notifies you too, while Howl is open.</p>
        </>
      ) : (
        <>
          <Button disabled={state === 'denied'} onClick={() => void wishAlerts(true).then(setState)}>
            Notify me in this browser too
          </Button>
          {state === 'denied' ? (
            <p className="text-sm text-ink-2">Your browser’s settings block notifications from this site.</p>
          ) : null}
        </>
      )}
    </div>
  )
}
