import { Badge, type BadgeTone } from './Badge.tsx'

const TONES: Record<string, BadgeTone> = {
  new: 'purple',
  sent: 'gray',
  replied: 'blue',
  interested: 'green',
  meeting_scheduled: 'green',
  completed: 'green',
  scheduled: 'blue',
  cancelled: 'gray',
  failed: 'red',
}

/**
 * A status as a coloured badge: follow-ups amber, new purple, sent gray, replied blue, interested and meetings green.
 */
export function StatusBadge({ status, className }: { status: string; className?: string }) {
  const tone = status.startsWith('follow_up') ? 'amber' : (TONES[status] ?? 'gray')
  return (
    <Badge tone={tone} {...(className ? { className } : {})}>
      {statusWord(status)}
    </Badge>
  )
}

/** "follow_up_2" → "Follow-up 2", "meeting_scheduled" → "Meeting scheduled". */
export function statusWord(status: string) {
  const text = status.replace(/^follow_up/, 'follow-up').replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
