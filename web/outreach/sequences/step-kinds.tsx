import { GitBranch, Hourglass, ListTodo, type LucideIcon, Mail, Tag } from 'lucide-react'
import type { StepKind } from './edit-steps.ts'

/** The kinds of steps, as they are offered. */
export const STEP_KINDS: readonly { kind: StepKind; label: string; icon: LucideIcon }[] = [
  { kind: 'mail', label: 'Email', icon: Mail },
  { kind: 'wait', label: 'Wait', icon: Hourglass },
  { kind: 'task', label: 'Task for you', icon: ListTodo },
  { kind: 'tag', label: 'Tag', icon: Tag },
  { kind: 'condition', label: 'Condition', icon: GitBranch },
]

export function StepIcon({ kind }: { kind: StepKind }) {
  const Icon = STEP_KINDS.find((each) => each.kind === kind)?.icon ?? Mail
  return <Icon aria-hidden className="size-4 shrink-0 text-ink-2" />
}
