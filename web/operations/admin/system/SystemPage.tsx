import { useQueryClient } from '@tanstack/react-query'
import {
  ArrowLeft,
  CircleCheck,
  CircleHelp,
  CircleX,
  type LucideIcon,
  RefreshCw,
  TriangleAlert,
} from 'lucide-react'
import { Link } from 'react-router'
import {
  CHECK_NAMES,
  type CheckName,
  CHECKS,
  type Finding,
  HEALTH_STATES,
  type HealthState,
  systemHealth,
} from '#contract/operations/system-health.ts'
import { refresh } from '#web/platform/api/queries.ts'
import { currentTimeZone } from '#web/accounts/auth/time-zone.ts'
import { clockTime } from '#web/platform/dates/mail-age.ts'
import { paths } from '#web/platform/paths.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { DeadJobs } from './DeadJobs.tsx'
import { type Checks, type Outcome, useChecks } from './use-checks.ts'

/** How a state is shown: its word, and a sign and a colour besides. */
const STATE_LOOKS: Record<HealthState, { word: string; tone: BadgeTone; Icon: LucideIcon; colour: string }> =
  {
    failure: { word: 'Failure', tone: 'red', Icon: CircleX, colour: 'text-danger' },
    warning: { word: 'Warning', tone: 'amber', Icon: TriangleAlert, colour: 'text-amber' },
    unknown: { word: 'Unknown', tone: 'gray', Icon: CircleHelp, colour: 'text-ink-2' },
    ok: { word: 'OK', tone: 'green', Icon: CircleCheck, colour: 'text-green' },
  }

/** Whether this Howl is well: what is wrong, and how to mend it. */
export function SystemPage() {
  const checks = useChecks()
  const { doneAt, again } = checks
  const client = useQueryClient()
  return (
    <>
      <PageHeader
        title="System"
        note="What this Howl needs to work, and whether it has it."
        actions={
          <>
            <Link to={paths.admin} className={buttonClass()}>
              <ArrowLeft aria-hidden className="size-4" />
              Dashboard
            </Link>
            <Button
              variant="primary"
              busy={doneAt === null}
              icon={<RefreshCw aria-hidden className="size-4" />}
              onClick={() => {
                again()
                void refresh(client, systemHealth.deadJobs)
              }}
            >
              Check again
            </Button>
          </>
        }
      />
      <div className="flex flex-col gap-4">
        <Summary checks={checks} />
        {sortedGroups(checks.settled).map(({ group, names }) => (
          <Card key={group} title={group} flush>
            <ul aria-label={group} className="border-t border-line">
              {names.map((name) => (
                <CheckRow key={name} name={name} outcome={checks.outcomes.get(name)} />
              ))}
            </ul>
          </Card>
        ))}
        <DeadJobs />
      </div>
    </>
  )
}

const stateOf = (outcome: Outcome | undefined): HealthState =>
  outcome !== undefined && 'report' in outcome ? outcome.report.state : 'unknown'
const severity = (outcome: Outcome | undefined) => HEALTH_STATES.indexOf(stateOf(outcome))

type Group = { group: string; names: CheckName[] }

/** Checks by their group, the worst first. While they come back each stays in its place, so that nothing moves under the reader. */
function sortedGroups(settled: Checks['settled']): Group[] {
  const worst = ({ names }: Group) => Math.min(...names.map((name) => severity(settled.get(name))))
  return IN_ORDER.map(({ group, names }) => ({
    group,
    names: names.toSorted((one, other) => severity(settled.get(one)) - severity(settled.get(other))),
  })).toSorted((one, other) => worst(one) - worst(other))
}

const IN_ORDER: Group[] = [...new Set(Object.values(CHECKS).map(({ group }) => group))].map((group) => ({
  group,
  names: CHECK_NAMES.filter((name) => CHECKS[name].group === group),
}))

function Summary({ checks: { outcomes, open, doneAt } }: { checks: Checks }) {
  const count = (state: HealthState) =>
    [...outcomes.values()].filter((each) => stateOf(each) === state).length
  const [failed, warned, untold] = [count('failure'), count('warning'), count('unknown')]
  const worst: HealthState = failed > 0 ? 'failure' : warned > 0 ? 'warning' : 'ok'
  const { Icon, colour } = STATE_LOOKS[worst]
  const done = CHECK_NAMES.length - open
  const parts = [
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'failure' : 'failures'}`] : []),
    ...(warned > 0 ? [`${warned} ${warned === 1 ? 'warning' : 'warnings'}`] : []),
    ...(untold > 0 ? [`${untold} that could not be told`] : []),
  ]
  const headline = failed > 0 ? 'This Howl is not well' : warned > 0 ? 'This Howl works' : 'This Howl is well'
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3">
      {doneAt === null ? (
        <div className="flex flex-col gap-2">
          <output className="text-ink-2">
            Checking… {done} of {CHECK_NAMES.length} done
          </output>
          <ProgressBar label="Checks" value={done} max={CHECK_NAMES.length} />
        </div>
      ) : (
        <output className="flex items-start gap-2.5">
          <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${colour}`} />
          <span>
            <span className="block font-medium">{headline}</span>
            <span className="block text-ink-2">
              {parts.length === 0 ? `All ${CHECK_NAMES.length} checks are fine` : parts.join(', ')} · Checked
              at {clockTime(doneAt, currentTimeZone())}
            </span>
          </span>
        </output>
      )}
    </div>
  )
}

function CheckRow({ name, outcome }: { name: CheckName; outcome: Outcome | undefined }) {
  const { title } = CHECKS[name]
  const { Icon, colour, tone, word } = STATE_LOOKS[stateOf(outcome)]
  return (
    <li
      aria-label={title}
      aria-busy={outcome === undefined || undefined}
      className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 border-b border-line px-4 py-3 last:border-0 md:grid-cols-[13rem_1fr_auto]"
    >
      <h3 className="flex items-start gap-2 font-medium">
        {outcome === undefined ? (
          <Skeleton className="mt-0.5 size-4 shrink-0 rounded-full" />
        ) : (
          <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${colour}`} />
        )}
        {title}
      </h3>
      <div className="min-w-0 max-md:order-last max-md:col-span-2">
        {outcome === undefined ? (
          <Skeleton className="mt-1.5 h-3 w-2/3" />
        ) : 'fault' in outcome ? (
          <p>{outcome.fault}</p>
        ) : (
          <Findings findings={outcome.report.findings} />
        )}
      </div>
      {outcome === undefined ? <span /> : <Badge tone={tone}>{word}</Badge>}
    </li>
  )
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const sorted = HEALTH_STATES.flatMap((state) => findings.filter((each) => each.state === state))
  return (
    <ul className="flex flex-col gap-2">
      {sorted.map(({ subject, state, seen, wrong, mend }) => (
        <li key={`${subject} ${seen}`} className="wrap-anywhere">
          <p className={wrong === null ? undefined : 'font-medium'}>
            {subject === null ? null : (
              <span className={state === 'ok' ? 'text-ink-2' : STATE_LOOKS[state].colour}>
                {subject}
                {state === 'ok' ? ': ' : ` (${STATE_LOOKS[state].word}): `}
              </span>
            )}
            {seen}
          </p>
          {wrong === null ? null : <p>{wrong}</p>}
          {mend === null ? null : <p className="text-ink-2">{`→ ${mend}`}</p>}
        </li>
      ))}
    </ul>
  )
}
