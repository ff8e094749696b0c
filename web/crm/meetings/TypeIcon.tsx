import { MapPin, Phone, Video } from 'lucide-react'
import type { MeetingType } from '#contract/crm/meetings.ts'

const ICONS = { 'in-person': MapPin, video: Video, phone: Phone }

/** The icon of a meeting type: in person, video or phone. The label is beside it or in the button's name. */
export function TypeIcon({ type, className = 'size-3.5' }: { type: MeetingType; className?: string }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden className={`${className} shrink-0`} />
}
