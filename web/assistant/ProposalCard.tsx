import { useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { assistant, type ChatSessionDetail, type Proposal } from '#contract/assistant/assistant.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'
import { isOwnPath } from '#web/platform/own-path.ts'
import { paths } from '#web/platform/paths.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { ProposalForm } from './ProposalForm.tsx'
import { setDetail } from './turns.ts'

/** A sending call waits for the mail server. */
const APPROVE_TIMEOUT_MS = 60_000

const STATES: Record<Proposal['status'], { word: string; tone: BadgeTone }> = {
  pending: { word: 'Waiting for you', tone: 'moon' },
  approved: { word: 'Done', tone: 'green' },
  declined: { word: 'Declined', tone: 'gray' },
  replaced: { word: 'Edited', tone: 'gray' },
  expired: { word: 'Expired', tone: 'amber' },
}
const FAILED = { word: 'Not sent', tone: 'red' } as const

/** What Wolfy would do, word for word. Only Approve does it. */
export function ProposalCard({ proposal }: { proposal: Proposal }) {
  const client = useQueryClient()
  const [isEdited, setEdited] = useState(false)
  const state = useRef<HTMLOutputElement>(null)
  const wasDecided = useRef(false)
  const show = (made: Proposal) => {
    setDetail(client, made.session_id ?? 0, (known) => withProposal(known, made))
  }
  const decided = (made: Proposal) => {
    wasDecided.current = true
    show(made)
  }
  // After a refusal the card may have been decided in another tab.
  const onError = () => void refresh(client, assistant.getSession)
  const approve = useCommand(assistant.approve, { onSuccess: decided, onError })
  const decline = useCommand(assistant.decline, { onSuccess: decided, onError })
  const { id, hash, status, summary, lines, result } = proposal
  const { word, tone } = result?.failed === true ? FAILED : STATES[status]
  const isOpen = status === 'pending'
  const isBusy = approve.isPending || decline.isPending
  // The buttons are gone: who used them by keyboard goes on where they were.
  useEffect(() => {
    if (isOpen || !wasDecided.current) return
    wasDecided.current = false
    state.current?.focus({ preventScroll: true })
  }, [isOpen])
  const fault = approve.error ?? decline.error
  const name = `proposal-${id}`
  return (
    <section
      aria-labelledby={name}
      aria-busy={isBusy || undefined}
      className="overflow-hidden rounded-lg border border-line bg-surface"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-2.5">
        <h2 id={name} className="min-w-0 font-medium wrap-anywhere">
          {summary}
        </h2>
        <Badge tone={tone}>{word}</Badge>
      </header>
      {isEdited && isOpen ? (
        <ProposalForm
          proposal={proposal}
          onClose={() => setEdited(false)}
          onEdited={(made) => {
            wasDecided.current = true
            replace(client, proposal, made)
          }}
        />
      ) : (
        <>
          <Lines lines={lines} isOpen={isOpen} />
          <footer className="flex flex-col gap-2.5 px-4 pb-3.5">
            {isOpen && fault !== null ? (
              <Alert>
                <ProblemText error={fault} />
              </Alert>
            ) : null}
            {isOpen ? (
              <div className="flex flex-wrap items-center gap-2">
                <Button
                  variant="primary"
                  busy={approve.isPending}
                  disabled={decline.isPending}
                  onClick={() =>
                    approve.mutate({ params: { id }, body: { hash }, timeoutMs: APPROVE_TIMEOUT_MS })
                  }
                >
                  Approve
                </Button>
                {Object.keys(proposal.editable).length === 0 ? null : (
                  <Button disabled={isBusy} onClick={() => setEdited(true)}>
                    Edit
                  </Button>
                )}
                <Button
                  variant="plain"
                  busy={decline.isPending}
                  disabled={approve.isPending}
                  onClick={() => decline.mutate({ params: { id } })}
                >
                  Decline
                </Button>
                <Until at={proposal.expires_at} />
              </div>
            ) : (
              <output ref={state} tabIndex={-1} className="block rounded-sm text-ink-2 outline-none">
                <Outcome proposal={proposal} />
              </output>
            )}
          </footer>
        </>
      )}
    </section>
  )
}

function withProposal(known: ChatSessionDetail | undefined, made: Proposal): ChatSessionDetail | undefined {
  if (known === undefined) return undefined
  return { ...known, proposals: known.proposals.map((each) => (each.id === made.id ? made : each)) }
}

/** The edited one stands where the old one stood. */
function replace(client: ReturnType<typeof useQueryClient>, old: Proposal, made: Proposal): void {
  setDetail(client, old.session_id ?? 0, (known) => {
    if (known === undefined) return undefined
    const proposals = known.proposals.map((each) =>
      each.id === old.id ? { ...old, status: 'replaced' as const } : each,
    )
    const messages = known.messages.map((message) => {
      const more = message.message_metadata
      const ids = more.proposal_ids.flatMap((id) => (id === old.id ? [id, made.id] : [id]))
      return { ...message, message_metadata: { ...more, proposal_ids: ids } }
    })
    return { ...known, messages, proposals: [...proposals, made] }
  })
  void refresh(client, assistant.getSession)
}

function Lines({ lines, isOpen }: { lines: Proposal['lines']; isOpen: boolean }) {
  return (
    <dl
      className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-4 py-3 ${isOpen ? '' : 'text-ink-2'}`}
    >
      {lines.map(({ label, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines of a proposal never change
        <div key={index} className="col-span-2 grid grid-cols-subgrid max-sm:block">
          <dt className="text-sm leading-[1.6] text-ink-2">{label}</dt>
          <dd className="whitespace-pre-wrap wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

const PROFILE = ' Set up your email in'

function ProblemText({ error }: { error: ApiError }): ReactNode {
  const sentence = sentenceOf(error, 'This did not work. Please try again.')
  if (error.code !== 'SMTP_NOT_CONFIGURED') return sentence
  return (
    <>
      {sentence}
      {PROFILE}{' '}
      <Link to={paths.profile} className="text-link">
        Profile & Settings
      </Link>
      .
    </>
  )
}

function Outcome({ proposal: { status, result } }: { proposal: Proposal }): ReactNode {
  if (status === 'approved' && result?.failed === true)
    return (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="text-danger wrap-anywhere">{result.label}</span>
        {isOwnPath(result.path) ? (
          <Link to={result.path} className={buttonClass('quiet', 's')}>
            Open the draft
          </Link>
        ) : null}
      </span>
    )
  if (status === 'approved' && result !== null)
    return isOwnPath(result.path) ? (
      <Link to={result.path} className="text-link inline-flex items-center gap-1.5">
        <Check aria-hidden className="size-4 text-green" />
        {result.label}
      </Link>
    ) : (
      result.label
    )
  if (status === 'approved') return 'Done.'
  if (status === 'declined') return 'Declined. Nothing was done.'
  if (status === 'replaced') return 'Edited.'
  return 'Expired. Nothing was done. Please ask again.'
}

/** When an open proposal can no longer be approved. */
function Until({ at }: { at: string }) {
  const timeZone = useTimeZone()
  const format = dateFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone })
  return <span className="ml-auto text-xs text-ink-2">Until {format.format(new Date(at))}</span>
}
