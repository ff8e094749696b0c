import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '#web/platform/api/call.ts'
import { refresh, useEndpoint } from '#web/platform/api/queries.ts'
import { clearToken, doubtSession, readToken } from '#web/platform/api/token.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { sendersOf } from '#web/mail/compose/sender.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { askedSpread, type Plan, planFrom, runBody } from './plan.ts'
import { announceEnd } from './run-end.ts'
import { healthFailureOf, type RunFailure, runFailureOf } from './run-failure.ts'
import { alreadyOf, isUnderWay } from './run-text.ts'
import { keepRun, useCurrentRun } from './use-current-run.ts'
import { ABOUT_YOU, type WrittenFrom } from './written-from.ts'

/** Time to read the message before the settings open. */
const SETTINGS_AFTER_MS = 1000
/** A new run is polled this often until its first live event. */
const LOOK_FOR_RUN_MS = 1000

type Shown = 'nothing' | 'configure' | 'confirm'
type Next = { show: 'configure' } | { show: 'confirm'; plan: Plan } | { say: RunFailure }

const hostOf = () => location.origin

/** The steps from the button to a run: checks, confirmation, the call, and its result. */
export function useGenerateAndSend() {
  const client = useQueryClient()
  const { user } = useSession()
  const { data: run } = useCurrentRun()
  const [shown, setShown] = useState<Shown>('nothing')
  const [plan, setPlan] = useState<Plan | null>(null)
  const [checking, setChecking] = useState(false)
  const [starting, setStarting] = useState(false)
  const [choosing, setChoosing] = useState(false)
  // Which of the user's choices is the last one.
  const turn = useRef(0)
  const revision = useRef(0)
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(later.current), [])
  const underWay = isUnderWay(run)
  useEndpoint(outreach.current, { refetchInterval: starting && !underWay ? LOOK_FOR_RUN_MS : false })

  /** What was asked about the choices before comes too late now. */
  const forget = () => {
    turn.current += 1
    setChoosing(false)
  }

  const tell = ({ sentence, next }: RunFailure) => {
    toast.error(sentence)
    if (next === 'leave') clearToken()
    if (next === 'configure') later.current = setTimeout(() => setShown('configure'), SETTINGS_AFTER_MS)
  }

  const begin = async () => {
    if (user === null || readToken() === null) {
      toast.error('Please log in again.')
      return doubtSession()
    }
    if (isUnderWay(run)) return void toast.info(alreadyOf(run))
    forget()
    setChecking(true)
    const next = await prepare()
    setChecking(false)
    if ('say' in next) return tell(next.say)
    if (next.show === 'confirm') setPlan(next.plan)
    setShown(next.show)
  }

  const confirm = async () => {
    setShown('nothing')
    setStarting(true)
    const failure = await startRun(client, plan)
    setStarting(false)
    if (failure !== null) tell(failure)
  }

  /** Shows what the run would do after another choice. */
  const replan = async (next: Plan) => {
    turn.current += 1
    const mine = turn.current
    setPlan(next)
    setChoosing(true)
    try {
      const estimate = await call(outreach.estimate, { query: runBody(next) ?? {} })
      // Something else may have been chosen meanwhile.
      if (mine !== turn.current) return
      setPlan({ ...next, estimate })
    } catch (error) {
      if (mine !== turn.current) return
      setShown('nothing')
      tell(runFailureOf(error, hostOf()))
    }
    setChoosing(false)
  }

  /** The first mails were changed, or somebody was left out: the plan is another one. */
  const revise = async () => {
    const mine = turn.current
    const newest = (revision.current += 1)
    try {
      const estimate = await call(outreach.estimate, { query: runBody(plan) ?? {} })
      if (mine === turn.current && newest === revision.current) setPlan((now) => now && { ...now, estimate })
    } catch {
      // The figures are those of a moment ago; the run itself counts anew.
    }
  }

  return {
    revise: () => void revise(),
    /** Sends from another account: it may have a limit of its own. */
    choose: (mailboxId: number) => {
      if (plan !== null) void replan(planFrom(plan, mailboxId))
    },
    /** Writes from something else: it may have gaps, and needs no model. */
    writeFrom: (from: WrittenFrom) => {
      if (plan !== null) void replan({ ...plan, from })
    },
    setSpread: (spread: boolean) => setPlan((now) => now && { ...now, spread }),
    choosing,
    begin: () => void begin(),
    confirm: () => void confirm(),
    close: () => {
      forget()
      setShown('nothing')
    },
    shown,
    plan,
    underWay,
    busy: checking || (starting && !underWay),
  }
}

/** Checks whether a run is possible, and what it would do. */
async function prepare(): Promise<Next> {
  let health
  try {
    health = await call(emails.health)
  } catch (error) {
    return { say: healthFailureOf(error, hostOf()) }
  }
  if (!health.configured) return { show: 'configure' }
  try {
    const [estimate, settings, accounts] = await Promise.all([
      call(outreach.estimate),
      // Only needed for the names of the accounts: the plan works without them.
      call(mailboxes.get).catch(() => null),
      call(mailboxes.accounts).catch(() => []),
    ])
    const inUse = accounts.find(({ primary, connected }) => primary && connected)
    const mailbox = inUse === undefined ? null : { ...inUse, host: settings?.smtp_host ?? '' }
    const senders = sendersOf(accounts, null)
    if (estimate.contacts > 0)
      return { show: 'confirm', plan: { estimate, mailbox, senders, from: ABOUT_YOU } }
    return { say: { sentence: 'No contacts found. Please add contacts first.', next: 'nothing' } }
  } catch (error) {
    return { say: runFailureOf(error, hostOf()) }
  }
}

async function startRun(client: QueryClient, plan: Plan | null): Promise<RunFailure | null> {
  try {
    const body = { ...runBody(plan), ...(plan === null ? {} : askedSpread(plan)) }
    const batch = await call(outreach.generateAndSend, Object.keys(body).length === 0 ? {} : { body })
    keepRun(client, batch)
    if (batch.done) announceEnd(batch)
    return null
  } catch (error) {
    // The answer may be lost although the run has started: then its progress shows.
    void refresh(client, outreach.current)
    return runFailureOf(error, hostOf())
  }
}
