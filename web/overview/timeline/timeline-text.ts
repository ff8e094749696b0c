import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import type { TimelineEntry } from '#contract/overview/timeline.ts'
import { statusWord } from '#web/platform/ui/StatusBadge.tsx'

/** The kind of an entry, for users who do not see its icon. */
export function kindText(entry: TimelineEntry): string {
  if (entry.kind === 'email') return entry.direction === 'in' ? 'Email received' : emailOut(entry)
  if (entry.kind === 'meeting') return `Meeting, ${MEETING_TYPES[entry.type]}`
  if (entry.kind === 'todo') return entry.completed ? 'Task, completed' : 'Task'
  if (entry.kind === 'invoice') return KIND_WORDS[entry.document].name
  return 'Added to contacts'
}

const MEETING_TYPES = { 'in-person': 'in person', video: 'video', phone: 'phone' } as const

function emailOut({ folder, delivery }: Extract<TimelineEntry, { kind: 'email' }>): string {
  if (folder === 'drafts') return 'Draft'
  if (folder === 'scheduled') return 'Email scheduled'
  const state = delivery?.state ?? 'sent'
  return state === 'sent' ? 'Email sent' : `Email ${statusWord(state).toLowerCase()}`
}

/** The folder of a mail if it is not the expected one. */
export function folderText({ folder }: Extract<TimelineEntry, { kind: 'email' }>): string | null {
  return folder === 'archived' || folder === 'spam' || folder === 'trash' ? statusWord(folder) : null
}

/** The month heading of an entry: "May 2026", in the user's zone. */
export function monthOf(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone }).format(new Date(at))
}
