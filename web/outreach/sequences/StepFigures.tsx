import { useState } from 'react'
import {
  type Sequence,
  type SequenceFigures,
  type SequenceStep,
  sequences,
} from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { comingTime } from '#web/platform/dates/coming-time.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { useMailWait } from '#web/mail/mailboxes/use-mail-wait.ts'
import { useStoppedAccount } from '#web/outreach/automatic-mail/use-stopped-account.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { StatCard } from '#web/platform/ui/StatCard.tsx'
import { counted } from '../runs/run-text.ts'
import { layOut, type Waiting, waitingAt } from './edit-steps.ts'
import { StillToCome } from './Outlook.tsx'
import { StepIcon } from './step-kinds.tsx'
import { hoursText, startText, stepText, stopsText, targetText } from './step-text.ts'
import { STANDS_STILL } from './sequence-text.ts'

type StepFiguresProps = {
  sequence: Sequence
  /** Shows whoever has this step before them. */
  onShow: (step: number) => void
}

/** How a sequence stands: its figures in all and for each step, and how it is set. */
export function StepFigures({ sequence, onShow }: StepFiguresProps) {
  const { data } = useEndpoint(sequences.figures, { params: { id: sequence.id } })
  const { data: own = [] } = useEndpoint(templates.list)
  const { steps } = sequence
  const laid = layOut(steps)
  const figuresOf = (step: SequenceStep) => data?.steps.find((each) => each.step === step.id)
  const nameOf = (step: SequenceStep) =>
    step.kind === 'mail' ? own.find(({ id }) => id === step.template_id)?.name : undefined
  return (
    <div className="flex flex-col gap-5">
      <Totals sequence={sequence} total={data?.total} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ol aria-label="Steps" className="flex min-w-0 flex-col gap-2.5">
          {steps.map((step, at) => (
            <li
              key={step.id}
              style={{ marginInlineStart: `${Math.min(laid[at]?.depth ?? 0, 2) * 1.25}rem` }}
              className="flex items-start gap-3 rounded-lg border border-line bg-surface px-3.5 py-3"
            >
              <span className="w-4 shrink-0 pt-px text-right text-sm text-ink-2 tabular-nums">{at + 1}</span>
              <span className="pt-0.5">
                <StepIcon kind={step.kind} />
              </span>
              <div className="min-w-0 grow">
                <p className="font-medium wrap-anywhere">{stepText(step, nameOf(step))}</p>
                {step.kind === 'condition' ? (
                  <p className="text-sm text-ink-2">
                    If so, {targetText(steps, at, step.met)}. Otherwise,{' '}
                    {targetText(steps, at, step.otherwise)}.
                  </p>
                ) : null}
                {data === undefined ? null : (
                  <Figures
                    step={step}
                    figures={figuresOf(step)}
                    waiting={waitingAt(steps, at, (each) => figuresOf(each)?.waiting ?? 0)}
                    onShow={onShow}
                  />
                )}
              </div>
            </li>
          ))}
        </ol>
        <div className="flex min-w-0 flex-col gap-4">
          <StillToCome sequence={sequence} />
          <Settings sequence={sequence} />
        </div>
      </div>
    </div>
  )
}

function Totals({ sequence, total }: { sequence: Sequence; total: SequenceFigures | undefined }) {
  const timeZone = useTimeZone()
  const isStill = useStoppedAccount()(sequence.mailbox_id) !== undefined
  const waits = useMailWait()
  const loading = total === undefined
  const share = (count: number) =>
    total === undefined || total.sent === 0
      ? undefined
      : `${Math.round((100 * count) / total.sent)} % of emails`
  const { active, paused } = sequence.members
  return (
    <section aria-label="Key figures" className="grid grid-cols-2 gap-3 md:grid-cols-4">
      <StatCard
        label="Under way"
        value={active.toLocaleString('en')}
        note={
          sequence.state === 'running' && waits !== null && active > 0
            ? waits
            : sequence.state === 'running' && sequence.next_at !== null
              ? isStill
                ? STANDS_STILL
                : `Next ${comingTime(sequence.next_at, timeZone)}`
              : paused > 0
                ? `${paused.toLocaleString('en')} paused`
                : undefined
        }
      />
      <StatCard label="Emails sent" loading={loading} value={total?.sent.toLocaleString('en')} />
      <StatCard
        label="Replied"
        loading={loading}
        value={total?.replied.toLocaleString('en')}
        note={
          total === undefined || total.positive === 0
            ? share(total?.replied ?? 0)
            : `${total.positive.toLocaleString('en')} of them positive`
        }
      />
      <StatCard
        label="Lost"
        loading={loading}
        value={((total?.bounced ?? 0) + (total?.unsubscribed ?? 0)).toLocaleString('en')}
        note={`${(total?.bounced ?? 0).toLocaleString('en')} came back, ${(total?.unsubscribed ?? 0).toLocaleString('en')} unsubscribed`}
      />
    </section>
  )
}

type StepFigure = SequenceFigures & { step: number; waiting: number; with_gap: number }

const SHOWS = 'rounded-sm hover:underline pointer-coarse:py-1.5'

type FiguresProps = {
  step: SequenceStep
  figures: StepFigure | undefined
  waiting: Waiting | null
  onShow: (step: number) => void
}

function Figures({ step, figures, waiting, onShow }: FiguresProps) {
  const { with_gap: withGap = 0, sent = 0, replied = 0, positive = 0 } = figures ?? {}
  const { bounced = 0, unsubscribed = 0 } = figures ?? {}
  const ofMails =
    step.kind === 'mail'
      ? [
          { label: 'sent', count: sent, always: true },
          { label: 'replied', count: replied, always: true },
          { label: 'positive', count: positive, always: false },
          { label: 'came back', count: bounced, always: false },
          { label: 'unsubscribed', count: unsubscribed, always: false },
        ]
      : []
  const parts = ofMails.filter(({ count, always }) => always || count > 0)
  if (parts.length === 0 && waiting === null && withGap === 0) return null
  return (
    <p className="flex flex-wrap gap-x-3.5 pt-0.5 text-sm text-ink-2 tabular-nums">
      {parts.map(({ label, count }) => (
        <span key={label}>
          <span className={count > 0 ? 'font-medium text-ink' : undefined}>{count.toLocaleString('en')}</span>{' '}
          {label}
        </span>
      ))}
      {waiting === null ? null : (
        <button type="button" className={cx(SHOWS, 'text-link')} onClick={() => onShow(waiting.next)}>
          {waiting.count.toLocaleString('en')} waiting here
        </button>
      )}
      {withGap === 0 ? null : (
        <button type="button" className={cx(SHOWS, 'text-amber underline')} onClick={() => onShow(step.id)}>
          {withGap.toLocaleString('en')} with a gap in the email
        </button>
      )}
    </p>
  )
}

const SHOWN_STARTS = 3

function Settings({ sequence }: { sequence: Sequence }) {
  const [isAll, setAll] = useState(false)
  const { starts, hours, stops, again_after_days: again } = sequence
  const shown = isAll ? starts : starts.slice(0, SHOWN_STARTS)
  return (
    <Card title="How it is set">
      <dl className="flex flex-col gap-3">
        <div>
          <dt className="text-sm text-ink-2">It begins</dt>
          <dd>
            {starts.length === 0 ? (
              'When you put somebody in.'
            ) : (
              <ul>
                {shown.map((start) => (
                  <li key={startText(start)}>{startText(start)}</li>
                ))}
                {shown.length < starts.length ? (
                  <li>
                    <Button variant="plain" size="s" onClick={() => setAll(true)}>
                      Show all {starts.length}
                    </Button>
                  </li>
                ) : null}
              </ul>
            )}
            {again === null ? null : (
              <p className="text-sm text-ink-2">Again after {counted(again, 'day')} at the earliest.</p>
            )}
          </dd>
        </div>
        <div>
          <dt className="text-sm text-ink-2">It writes</dt>
          <dd>{hoursText(hours)}</dd>
        </div>
        <div>
          <dt className="text-sm text-ink-2">It stops for a contact after</dt>
          <dd>{stopsText(stops)}</dd>
        </div>
      </dl>
    </Card>
  )
}
