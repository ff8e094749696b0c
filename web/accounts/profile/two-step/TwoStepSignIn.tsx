import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { RECOVERY_CODES, twoStep } from '#contract/accounts/two-step.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { NewCodesDialog } from './NewCodesDialog.tsx'
import { SetUpDialog } from './SetUpDialog.tsx'
import { SwitchOffDialog } from './SwitchOffDialog.tsx'
import { useOpened } from '#web/platform/ui/use-opened.ts'

/** With fewer recovery codes than this, the card asks for new ones. */
const FEW_CODES = 3

type Status = ReplyOf<typeof twoStep.get>
type Act = 'set-up' | 'new-codes' | 'switch-off'

/** Whether log-in asks for a code besides the password, and the ways to change that. */
export function TwoStepSignIn() {
  const query = useEndpoint(twoStep.get)
  const { data } = query
  return (
    <Card
      title="Two-step Sign-in"
      actions={
        data === undefined ? undefined : (
          <Badge tone={data.on ? 'green' : 'gray'}>{data.on ? 'On' : 'Off'}</Badge>
        )
      }
    >
      <Loaded
        query={query}
        failed="Failed to load two-step sign-in"
        waiting={<Skeleton className="h-12 w-full" />}
      >
        {(status) => <Settings status={status} />}
      </Loaded>
    </Card>
  )
}

function Settings({ status }: { status: Status }) {
  const { what: act, turn, show: open, props } = useOpened<Act>()
  const dialog = (name: Act) => ({ ...props, open: act === name && props.open })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      {status.on ? <WhatIsOn status={status} /> : <WhatItIs />}
      <div className="flex flex-wrap gap-2">
        {status.on ? (
          <>
            <Button onClick={() => open('new-codes')}>New recovery codes</Button>
            <Button variant="plain" onClick={() => open('switch-off')}>
              Switch off
            </Button>
          </>
        ) : (
          <Button onClick={() => open('set-up')}>Set up</Button>
        )}
      </div>
      <div key={turn} className="contents">
        <SetUpDialog {...dialog('set-up')} />
        <NewCodesDialog {...dialog('new-codes')} />
        <SwitchOffDialog {...dialog('switch-off')} />
      </div>
    </div>
  )
}

function WhatItIs() {
  return (
    <p className="max-w-prose text-ink-2">
      Log in with your password and a code from an app on your phone. Then nobody gets in with your password
      alone.
    </p>
  )
}

function WhatIsOn({ status }: { status: Status }) {
  const left = status.recovery_codes_left
  const isFew = left < FEW_CODES
  const day = dateFormat('en-GB', { dateStyle: 'long' }).format(new Date(status.on_since ?? 0))
  return (
    <div className="max-w-prose">
      <p className="text-ink-2">Since {day}, Howl asks for a code at every log-in.</p>
      <p className={cx('mt-1 tabular-nums', isFew && 'font-medium')}>
        {left} of {RECOVERY_CODES} recovery codes left.
        {isFew ? ' Make new ones, so that you get in without your phone.' : null}
      </p>
    </div>
  )
}
