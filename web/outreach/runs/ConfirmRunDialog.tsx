import { type MouseEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { FirstMails } from '../first-mails/FirstMails.tsx'
import { useFirstMailsShown } from '../first-mails/use-first-mails-shown.ts'
import { outreachPaths } from './outreach-tabs.ts'
import { actionOf, isSpreadBy, linesOf, type Plan, type PlanLine, skippedOf } from './plan.ts'
import { SpreadChoice } from './SpreadChoice.tsx'
import { askedTemplate, optionOf, type WrittenFrom } from './written-from.ts'
import { canBeSent, WrittenFromField } from './WrittenFromField.tsx'

export type ConfirmRunDialogProps = {
  plan: Plan
  open: boolean
  onClose: () => void
  onConfirm: () => void
  /** Chooses the account to send from. */
  onChoose: (mailboxId: number) => void
  /** Chooses what the emails are written from. */
  onWriteFrom: (from: WrittenFrom) => void
  /** Chooses whether the emails leave over several days. */
  onSpread: (isSpread: boolean) => void
  /** The plan for what was chosen is still being made. */
  choosing: boolean
  /** One of the first mails was changed, or its contact left out. */
  onChanged: () => void
}

/** Shows what a run would do before anything is sent. */
export function ConfirmRunDialog(props: ConfirmRunDialogProps) {
  const { to_send: toSend, left_out: leftOut, with_gap: withGap } = props.plan.estimate
  // Who was left out, or would have a gap, can still get one.
  return toSend + leftOut + withGap === 0 ? <NobodyNew {...props} /> : <Confirm {...props} />
}

function Confirm(props: ConfirmRunDialogProps) {
  const { plan, open, onClose, onConfirm, onChoose, onWriteFrom, onSpread, choosing, onChanged } = props
  const firstMails = useFirstMailsShown()
  const { isShown, isEditing, unlessEditing } = firstMails
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    // What was shown is gone with the dialog; the server still has it.
    setWasOpen(open)
    firstMails.hide()
  }
  const close = () => unlessEditing(onClose)
  // A choice that cannot be counted closes the dialog.
  const chooseAccount = (id: number) => unlessEditing(() => onChoose(id))
  const writeFrom = (from: WrittenFrom) =>
    unlessEditing(() => {
      // The first emails are others then.
      firstMails.hide()
      onWriteFrom(from)
    })
  const leave = (event: MouseEvent) => firstMails.leave(event, onClose)
  const isReady = canBeSent(plan.from, plan.estimate)
  const action = actionOf(plan.estimate)
  const isChoice = plan.senders.length > 1
  const { example, links_reach: linksReach, spread } = plan.estimate
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`${action}?`}
      size={isShown ? 'l' : 'm'}
      description="Each gets an email of their own. You can pause or cancel while it runs."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="primary"
            busy={choosing}
            // What is being written would not leave.
            disabled={isEditing || !isReady || plan.estimate.to_send === 0}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    >
      {linksReach ? null : <NobodyCanUnsubscribe />}
      {isChoice ? <SendFrom plan={plan} onChoose={chooseAccount} /> : null}
      <div className="mb-4">
        <WrittenFromField from={plan.from} onChoose={writeFrom} estimate={plan.estimate} onLeave={leave} />
      </div>
      {spread === null || !isReady ? null : (
        <SpreadChoice spread={spread} isSpread={isSpreadBy(plan) === true} onSpread={onSpread} />
      )}
      <Lines lines={linesOf(plan, isChoice).filter(({ name }) => isReady || name !== 'Text')} />
      {plan.estimate.has_brief || plan.from.kind !== 'you' ? null : (
        <p className="mt-3 text-sm text-ink-2">
          These emails introduce you, but do not say what you offer.{' '}
          <Link to={outreachPaths.aboutYou} onClick={leave} className="text-accent underline">
            Tell Howl about you
          </Link>
        </p>
      )}
      {example === null || isShown || !isReady ? null : <Example {...example} />}
      {isReady ? (
        <FirstMails
          key={optionOf(plan.from)}
          mailboxId={plan.mailbox?.id ?? null}
          asked={askedTemplate(plan.from)}
          isShown={isShown}
          onShow={firstMails.show}
          onEditing={firstMails.setEditing}
          onChanged={onChanged}
        />
      ) : null}
    </Dialog>
  )
}

/** What a run is going to do, line by line. */
export function Lines({ lines }: { lines: readonly PlanLine[] }) {
  return (
    <dl className="divide-y divide-line border-y border-line">
      {lines.map(({ name, text, more }) => (
        <div key={name} className="grid grid-cols-[5.5rem_1fr] gap-3 py-2.5">
          <dt className="text-ink-2">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">
            {text}
            {more === undefined ? null : <span className="block text-ink-2">{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Told before a run whose unsubscribe links lead nowhere. */
export function NobodyCanUnsubscribe() {
  return (
    <p className="mb-4 rounded-md bg-amber-soft px-3 py-2 text-sm">
      <span className="font-semibold">Nobody can unsubscribe yet.</span> The link in these emails leads to
      this computer, which recipients cannot open. The person who runs Howl needs to set PUBLIC_URL to its
      address on the internet.
    </p>
  )
}

/** The choice of the account that a run sends from. */
export function SendFrom({ plan, onChoose }: Pick<ConfirmRunDialogProps, 'plan' | 'onChoose'>) {
  return (
    <Field label="Send from" help="These are real emails to real people." className="mb-4">
      <Select
        data-preset
        value={plan.mailbox?.id ?? ''}
        onChange={({ target }) => onChoose(Number(target.value))}
        options={plan.senders.map(({ id, address }) => ({ value: String(id), label: address }))}
      />
    </Field>
  )
}

/** The first email of a run, as it will arrive. */
export function Example({ name, subject, text }: NonNullable<Plan['estimate']['example']>) {
  return (
    <section aria-labelledby="example-of-run" className="mt-4">
      <h3 id="example-of-run" className="text-sm font-medium">
        The email to {name}
      </h3>
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
        tabIndex={0}
        className="scroll-shade mt-1.5 max-h-56 overflow-y-auto rounded-md px-3 py-2.5 text-sm"
      >
        <p className="font-medium wrap-anywhere">{subject}</p>
        <p className="mt-2 wrap-anywhere whitespace-pre-wrap">{text.trimEnd()}</p>
      </div>
    </section>
  )
}

function NobodyNew({ plan, open, onClose }: ConfirmRunDialogProps) {
  const navigate = useNavigate()
  const toContacts = () => {
    onClose()
    void navigate(paths.contacts)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Nobody new to write to"
      size="s"
      description={
        <>
          <p>A run never writes to the same contact twice. All are left out:</p>
          <p className="mt-2 text-ink">{skippedOf(plan.estimate)}.</p>
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={toContacts}>
            Add contacts
          </Button>
        </>
      }
    />
  )
}
