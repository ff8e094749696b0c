import { MoreHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import {
  ACT_MAX,
  MEMBER_STATES,
  type MemberState,
  type Sequence,
  type SequenceMember,
  type SequenceStep,
  sequences,
} from '#contract/outreach/sequences.ts'
import { templates } from '#contract/outreach/templates.ts'
import { useEndpoint, usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { ListFooter } from '#web/platform/ui/ListFooter.tsx'
import { Menu } from '#web/platform/ui/Menu.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Cell, Table, TableRow } from '#web/platform/ui/Table.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { MEMBER_WORDS, peopleIn, sinceText, timeText } from './sequence-text.ts'
import { stepText } from './step-text.ts'
import { actsFor, type MemberAct, useMemberActs } from './use-member-acts.ts'

const SIZES = [25, 50, 100] as const
const WIDE = 'hidden md:table-cell'
const COLUMNS = [
  { key: 'select', title: <span className="sr-only">Select</span>, className: 'w-11' },
  { key: 'name', title: 'Contact' },
  { key: 'state', title: 'State', className: 'w-28' },
  { key: 'next', title: 'Next', className: `w-[38%] ${WIDE}` },
  { key: 'acts', title: <span className="sr-only">Actions</span>, className: 'w-12' },
]

/** The page is one of those that have `step` before them. */
type Asked = { state: MemberState | ''; step: number | null; page: number; pageSize: number }

type MembersProps = {
  sequence: Sequence
  add: ReactNode
  /** Only those who have this step before them; null: all. */
  step: number | null
  onStep: (step: number | null) => void
}

/** Who is in a sequence, what comes next for each, and why somebody waits. */
export function Members({ sequence, add, step, onStep }: MembersProps) {
  const [asked, setAsked] = useState<Asked>({ state: '', step, page: 1, pageSize: 25 })
  const [typed, setTyped] = useState('')
  const search = useSettled(typed)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const { act, isActing } = useMemberActs(sequence.id)
  const templateNameOf = useTemplateNames()
  const { state, pageSize } = asked
  const page = asked.step === step ? asked.page : 1
  const isFiltered = state !== '' || step !== null || search !== ''
  const isEmpty = peopleIn(sequence) === 0
  const { data, error, refetch, isFetching } = usePage(sequences.members, {
    params: { id: sequence.id },
    query: {
      ...(state === '' ? {} : { state }),
      ...(step === null ? {} : { step }),
      search,
      page,
      page_size: pageSize,
    },
    enabled: !isEmpty,
  })
  if (isEmpty) return <Nobody sequence={sequence} add={add} />
  const ask = (changes: Partial<Asked>) => {
    setAsked({ ...asked, step, page: 1, ...changes })
    setChosen(new Set())
  }
  const rows = data?.rows ?? []
  // Who is no longer shown is no longer chosen.
  const selected = rows.filter(({ id }) => chosen.has(id))
  const run = (which: MemberAct, members: readonly SequenceMember[]) => {
    act(
      which,
      members.map(({ id }) => id),
    )
    setChosen(new Set())
  }
  return (
    <Card flush title="Contacts in it" actions={add}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 pb-3">
        <SearchInput
          placeholder="Search by name or email"
          className="grow basis-48 sm:max-w-72"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            ask({})
          }}
        />
        <Select
          aria-label="State"
          className="w-36 max-sm:grow"
          value={state}
          onChange={({ target }) => ask({ state: target.value as Asked['state'] })}
          options={[
            { value: '', label: 'All states' },
            ...MEMBER_STATES.map((value) => ({ value, label: MEMBER_WORDS[value].word })),
          ]}
        />
        <Select
          aria-label="Next step"
          className="w-52 max-sm:grow"
          value={step === null ? '' : String(step)}
          onChange={({ target }) => {
            const next = target.value === '' ? null : Number(target.value)
            onStep(next)
            ask({ step: next })
          }}
          options={[
            { value: '', label: 'At any step' },
            ...sequence.steps.map((each, at) => ({
              value: String(each.id),
              label: `${at + 1}. ${stepText(each, templateNameOf(each))}`,
            })),
          ]}
        />
      </div>
      {selected.length === 0 ? null : (
        <Chosen members={selected} busy={isActing} onAct={(which) => run(which, selected)} />
      )}
      {data === undefined && error !== null ? (
        <ErrorState message="Failed to load the contacts" onRetry={() => void refetch()} busy={isFetching} />
      ) : data?.total === 0 ? (
        <EmptyState title="Nobody is found">
          {isFiltered ? 'Try another name, state or step.' : undefined}
        </EmptyState>
      ) : (
        <>
          <Table
            label="Contacts in it"
            columns={COLUMNS}
            loading={data === undefined}
            className="table-fixed"
          >
            {rows.map((member) => (
              <Row
                key={member.id}
                member={member}
                sequence={sequence}
                isChosen={chosen.has(member.id)}
                onChoose={(isOn) => {
                  const next = new Set(chosen)
                  if (isOn && next.size < ACT_MAX) next.add(member.id)
                  else next.delete(member.id)
                  setChosen(next)
                }}
                onAct={(which) => run(which, [member])}
              />
            ))}
          </Table>
          <ListFooter
            page={page}
            pageSize={pageSize}
            total={data?.total ?? 0}
            noun="contacts"
            sizes={SIZES}
            onPage={(next) => ask({ page: next })}
            onPageSize={(next) => ask({ pageSize: next })}
          />
        </>
      )}
    </Card>
  )
}

function Nobody({ sequence, add }: { sequence: Sequence; add: ReactNode }) {
  return (
    <Card title="Contacts in it">
      <EmptyState title="Nobody is in it yet" action={add} className="py-6">
        {sequence.starts.length === 0
          ? 'Add contacts here, or select them on the Contacts page.'
          : 'Add contacts, or wait: it also begins by itself.'}
      </EmptyState>
    </Card>
  )
}

type ChosenProps = { members: readonly SequenceMember[]; busy: boolean; onAct: (act: MemberAct) => void }

function Chosen({ members, busy, onAct }: ChosenProps) {
  const acts = new Map(members.flatMap((member) => actsFor(member)).map((each) => [each.act, each]))
  return (
    <div
      role="toolbar"
      aria-label="Selected contacts"
      className="flex flex-wrap items-center gap-1.5 border-b border-line bg-accent-soft px-4 py-2"
    >
      <p className="pr-2 font-medium tabular-nums">{members.length} selected</p>
      {[...acts.values()].map(({ act, label }) => (
        <Button key={act} size="s" disabled={busy} onClick={() => onAct(act)}>
          {label}
        </Button>
      ))}
    </div>
  )
}

type RowProps = {
  member: SequenceMember
  sequence: Sequence
  isChosen: boolean
  onChoose: (isOn: boolean) => void
  onAct: (act: MemberAct) => void
}

function Row({ member, sequence, isChosen, onChoose, onAct }: RowProps) {
  const timeZone = useTimeZone()
  const { word, tone } = MEMBER_WORDS[member.state]
  const name = member.name || member.email
  const why = member.why ?? ''
  const next = nextText(member, sequence, useTemplateNames())
  const at = next === '' || !isDue(member, sequence) ? '' : timeText(member.next_at, timeZone)
  const acts = actsFor(member)
  return (
    <TableRow selected={isChosen}>
      <Cell>
        <label className="grid size-6 place-items-center pointer-coarse:size-11">
          <span className="sr-only">Select {name}</span>
          <input
            type="checkbox"
            checked={isChosen}
            onChange={({ target }) => onChoose(target.checked)}
            className="size-4 accent-accent pointer-coarse:size-5"
          />
        </label>
      </Cell>
      <Cell className="py-2">
        {member.contact_id === null ? (
          <span className="block truncate">{name}</span>
        ) : (
          <Link
            to={contactPath(member.contact_id)}
            className="block w-fit max-w-full truncate rounded-sm font-medium hover:text-accent hover:underline"
          >
            {name}
          </Link>
        )}
        <p className="truncate text-sm text-ink-2">{sinceText(member, timeZone)}</p>
        <p className="text-sm wrap-anywhere text-ink-2 md:hidden">
          {why || [next, at].filter(Boolean).join(', ')}
        </p>
      </Cell>
      <Cell>
        <Badge tone={tone}>{word}</Badge>
      </Cell>
      <Cell className={`${WIDE} py-2`}>
        {next === '' ? null : <p className="truncate">{next}</p>}
        {at === '' ? null : <p className="text-sm text-ink-2 tabular-nums">{at}</p>}
        {why === '' ? null : <p className="text-sm wrap-anywhere text-ink-2">{why}</p>}
      </Cell>
      <Cell>
        {acts.length === 0 ? null : (
          <Menu
            label={`More actions for ${name}`}
            trigger={<MoreHorizontal aria-hidden className="size-4" />}
            entries={acts.map(({ act, label }) => ({
              kind: 'action',
              label,
              danger: act === 'take_out',
              onSelect: () => onAct(act),
            }))}
            className={buttonClass('plain', 's')}
          />
        )}
      </Cell>
    </TableRow>
  )
}

/** What the template of a step is called, if it has one. */
function useTemplateNames(): (step: SequenceStep) => string | undefined {
  const { data: own = [] } = useEndpoint(templates.list)
  return (step) => (step.kind === 'mail' ? own.find(({ id }) => id === step.template_id)?.name : undefined)
}

/** What comes next; '' for who has left. */
function nextText(
  member: SequenceMember,
  sequence: Sequence,
  templateNameOf: (step: SequenceStep) => string | undefined,
): string {
  if (member.step === null || member.state === 'done' || member.state === 'stopped') return ''
  const step = sequence.steps.find(({ id }) => id === member.step)
  return step === undefined ? 'A step of an older version' : stepText(step, templateNameOf(step))
}

/** True if the time of the next step is known: nothing is due while a sequence or a member is held. */
const isDue = (member: SequenceMember, sequence: Sequence): member is SequenceMember & { next_at: string } =>
  sequence.state === 'running' && member.state === 'active' && member.next_at !== null
