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
import { comingTime } from '#web/platform/dates/coming-time.ts'
import { useEndpoint, usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { List } from '#web/platform/ui/List.tsx'
import { Menu } from '#web/platform/ui/Menu.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { SelectBox } from '#web/platform/ui/SelectBox.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { MEMBER_WORDS, peopleIn, sinceText } from './sequence-text.ts'
import { stepText } from './step-text.ts'
import { actsFor, type MemberAct, useMemberActs } from './use-member-acts.ts'

const SIZES = [25, 50, 100] as const
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
  const timeZone = useTimeZone()
  const { state, pageSize } = asked
  const page = asked.step === step ? asked.page : 1
  const isFiltered = state !== '' || step !== null || search !== ''
  const isEmpty = peopleIn(sequence) === 0
  const query = usePage(sequences.members, {
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
  // Who is no longer shown is no longer chosen.
  const selected = query.data?.rows.filter(({ id }) => chosen.has(id)) ?? []
  const choose = ({ id }: SequenceMember, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn && next.size < ACT_MAX) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const nextOf = (member: SequenceMember): NextStep => {
    const next = nextText(member, sequence, templateNameOf)
    return { next, at: next === '' || !isDue(member, sequence) ? '' : comingTime(member.next_at, timeZone) }
  }
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
      <List
        label="Contacts in it"
        query={query}
        failed="Failed to load the contacts"
        rows={query.data?.rows}
        keyOf={({ id }) => id}
        isSelected={({ id }) => chosen.has(id)}
        className="table-fixed"
        columns={{
          select: {
            title: <span className="sr-only">Select</span>,
            className: 'w-11',
            render: (member) => (
              <SelectBox
                label={`Select ${nameOf(member)}`}
                checked={chosen.has(member.id)}
                onChange={(isOn) => choose(member, isOn)}
              />
            ),
          },
          name: {
            title: 'Contact',
            cellClass: 'py-2',
            render: (member) => <Person member={member} next={nextOf(member)} />,
          },
          state: {
            title: 'State',
            className: 'w-28',
            render: ({ state: now }) => <Badge tone={MEMBER_WORDS[now].tone}>{MEMBER_WORDS[now].word}</Badge>,
          },
          next: {
            title: 'Next',
            className: 'hidden w-[38%] md:table-cell',
            cellClass: 'py-2',
            render: (member) => <Next member={member} {...nextOf(member)} />,
          },
          acts: {
            title: <span className="sr-only">Actions</span>,
            className: 'w-12',
            render: (member) => <Acts member={member} onAct={(which) => run(which, [member])} />,
          },
        }}
        empty={
          query.data?.total === 0 ? (
            <EmptyState title="Nobody is found">
              {isFiltered ? 'Try another name, state or step.' : undefined}
            </EmptyState>
          ) : undefined
        }
        pages={{
          page,
          pageSize,
          total: query.data?.total ?? 0,
          noun: 'contacts',
          sizes: SIZES,
          onPage: (next) => ask({ page: next }),
          onPageSize: (next) => ask({ pageSize: next }),
        }}
      />
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

type NextStep = { next: string; at: string }

const nameOf = ({ name, email }: SequenceMember) => name || email

function Person({ member, next: { next, at } }: { member: SequenceMember; next: NextStep }) {
  const timeZone = useTimeZone()
  return (
    <>
      {member.contact_id === null ? (
        <span className="block truncate">{nameOf(member)}</span>
      ) : (
        <Link
          to={contactPath(member.contact_id)}
          className="block w-fit max-w-full truncate rounded-sm font-medium hover:text-accent hover:underline"
        >
          {nameOf(member)}
        </Link>
      )}
      <p className="truncate text-sm text-ink-2">{sinceText(member, timeZone)}</p>
      <p className="text-sm wrap-anywhere text-ink-2 md:hidden">
        {member.why || [next, at].filter(Boolean).join(', ')}
      </p>
    </>
  )
}

function Next({ member: { why }, next, at }: NextStep & { member: SequenceMember }) {
  return (
    <>
      {next === '' ? null : <p className="truncate">{next}</p>}
      {at === '' ? null : <p className="text-sm text-ink-2 tabular-nums">{at}</p>}
      {why ? <p className="text-sm wrap-anywhere text-ink-2">{why}</p> : null}
    </>
  )
}

function Acts({ member, onAct }: { member: SequenceMember; onAct: (act: MemberAct) => void }) {
  const acts = actsFor(member)
  if (acts.length === 0) return null
  return (
    <Menu
      label={`More actions for ${nameOf(member)}`}
      trigger={<MoreHorizontal aria-hidden className="size-4" />}
      entries={acts.map(({ act, label }) => ({
        kind: 'action',
        label,
        danger: act === 'take_out',
        onSelect: () => onAct(act),
      }))}
      className={buttonClass('plain', 's')}
    />
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
