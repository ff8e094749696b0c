import type { Audience } from '#contract/crm/contacts.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Checkbox } from '#web/platform/ui/Checkbox.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { Example, Lines, NobodyCanUnsubscribe, SendFrom } from './ConfirmRunDialog.tsx'
import { EmailConfigurationDialog } from '../../mail/mailboxes/EmailConfigurationDialog.tsx'
import { FirstMails } from '../first-mails/FirstMails.tsx'
import { useFirstMailsShown } from '../first-mails/use-first-mails-shown.ts'
import { namesOf } from './left-out.ts'
import { actionOf, isSpreadBy, linesOf, type Plan } from './plan.ts'
import { SpreadChoice } from './SpreadChoice.tsx'
import { headingOf, isUnderWay } from './run-text.ts'
import { useCurrentRun } from './use-current-run.ts'
import { type AudienceEstimate, useWriteToThese } from './use-write-to-these.ts'
import { ABOUT_YOU, askedTemplate, optionOf, type WrittenFrom } from './written-from.ts'
import { canBeSent, WrittenFromField } from './WrittenFromField.tsx'

type WriteToTheseDialogProps = {
  audience: Audience
  /** What it is written from at first; "About you" without it. */
  from?: WrittenFrom
  open: boolean
  onClose: () => void
  /** The run has been asked for; its progress shows on every page. */
  onStarted: () => void
}

/** Shows to whom of an audience a run would write and who is left out, then starts it. */
export function WriteToTheseDialog({
  audience,
  from = ABOUT_YOU,
  open,
  onClose,
  onStarted,
}: WriteToTheseDialogProps) {
  const { data: run } = useCurrentRun()
  const flow = useWriteToThese(audience, open, from)
  const { estimate, plan } = flow
  const firstMails = useFirstMailsShown()
  const { isShown, isEditing, unlessEditing } = firstMails
  // While a mail is being edited the dialog stays, whatever happens elsewhere: what is typed would be lost with it.
  const mustWait = isUnderWay(run) && open && !isEditing
  // The first emails are asked for anew once that run is over.
  if (mustWait && isShown) firstMails.hide()
  if (mustWait)
    return (
      <Dialog
        open
        onClose={onClose}
        size="s"
        title="Another run is under way"
        description={`${headingOf(run)}. Wait until it is over, or cancel it, then write to these.`}
        footer={<Button onClick={onClose}>Close</Button>}
      />
    )
  if (estimate?.configured === false && !isEditing)
    return <EmailConfigurationDialog open={open} onClose={onClose} />
  const close = () =>
    unlessEditing(() => {
      firstMails.hide()
      onClose()
    })
  /** Makes a choice after which the first emails are others. */
  const choose = (make: () => void) =>
    unlessEditing(() => {
      firstMails.hide()
      make()
    })
  const isNobody = estimate?.to_send === 0
  // Who was left out by hand can be taken back in, and a gap be filled.
  const isNobodyAtAll = isNobody && estimate.left_out + estimate.with_gap === 0
  const isReady = plan !== null && canBeSent(plan.from, plan.estimate)
  const confirm = () => {
    if (estimate === undefined) return
    void flow.start(estimate)
    close()
    onStarted()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      size={isShown ? 'l' : 'm'}
      title={
        estimate === undefined ? 'Write to these' : isNobody ? 'Nobody to write to' : `${actionOf(estimate)}?`
      }
      description={estimate?.name}
      error={flow.error === null ? null : sentenceOf(flow.error, 'Failed to count the contacts.')}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            variant="primary"
            busy={flow.counting}
            // What is being written would not leave.
            disabled={!isReady || isNobody || isEditing}
            onClick={confirm}
          >
            {estimate === undefined || isNobody ? 'Send' : actionOf(estimate)}
          </Button>
        </>
      }
    >
      {estimate === undefined || plan === null ? (
        flow.error === null ? (
          <Counting />
        ) : null
      ) : (
        <div className="flex flex-col gap-4">
          {isNobodyAtAll ? null : (
            <WrittenFromField
              from={plan.from}
              onChoose={(next) => choose(() => flow.writeFrom(next))}
              estimate={estimate}
              onLeave={(event) => firstMails.leave(event, close)}
              isListed
            />
          )}
          <LeftOut estimate={estimate} />
          <Checkbox
            checked={flow.again}
            onChange={({ target }) => choose(() => flow.setAgain(target.checked))}
            label={
              <>
                Also write to those who were mailed before
                <span className="block text-sm text-ink-2">
                  Whoever had an email in the last 7 days is left out in any case.
                </span>
              </>
            }
          />
          {(isNobodyAtAll || !isReady) && !isEditing ? null : (
            <>
              <WhatLeaves
                plan={plan}
                onChoose={(id) => choose(() => flow.choose(id))}
                onSpread={flow.setSpread}
                withExample={!isShown}
              />
              <FirstMails
                // Others are written to with another account, or with those who were mailed before.
                key={`${flow.chosen ?? 0} ${flow.again} ${optionOf(plan.from)}`}
                mailboxId={plan.mailbox?.id ?? null}
                asked={{ audience, write_again: flow.again, ...askedTemplate(plan.from) }}
                isShown={isShown}
                onShow={firstMails.show}
                onEditing={firstMails.setEditing}
                onChanged={flow.recount}
              />
            </>
          )}
        </div>
      )}
    </Dialog>
  )
}

function LeftOut({ estimate }: { estimate: AudienceEstimate }) {
  const { skipped: leftOut, contacts, to_send: toSend } = estimate
  if (leftOut.length === 0) return null
  const many = (contacts - toSend).toLocaleString('en')
  return (
    <section aria-labelledby="left-out-of-run">
      <h3 id="left-out-of-run" className="text-sm font-medium">
        Left out: {many} of {contacts.toLocaleString('en')}
      </h3>
      <ul className="mt-1.5 divide-y divide-line border-y border-line">
        {leftOut.map((group) => (
          <li key={group.reason} className="grid grid-cols-[1fr_auto] gap-x-3 py-2">
            <span>{group.reason}</span>
            <span className="text-right tabular-nums">{group.contacts.toLocaleString('en')}</span>
            <span className="col-span-2 min-w-0 text-sm wrap-anywhere text-ink-2">{namesOf(group)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function WhatLeaves({
  plan,
  onChoose,
  onSpread,
  withExample,
}: {
  plan: Plan
  onChoose: (mailboxId: number) => void
  onSpread: (isSpread: boolean) => void
  withExample: boolean
}) {
  const isChoice = plan.senders.length > 1
  const { example, links_reach: linksReach, spread } = plan.estimate
  // Who is left out stands above, in full.
  const lines = linesOf(plan, isChoice).filter(({ name }) => name !== 'Left out')
  return (
    <div>
      {linksReach ? null : <NobodyCanUnsubscribe />}
      {isChoice ? <SendFrom plan={plan} onChoose={onChoose} /> : null}
      {spread === null ? null : (
        <SpreadChoice spread={spread} isSpread={isSpreadBy(plan) === true} onSpread={onSpread} />
      )}
      <Lines lines={lines} />
      {example === null || !withExample ? null : <Example {...example} />}
    </div>
  )
}

/** The shape of what comes, while the contacts are counted. */
function Counting() {
  return (
    <output aria-label="Counting contacts" className="flex flex-col gap-3">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-24 w-full" />
    </output>
  )
}
