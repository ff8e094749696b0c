import { MapPin, Phone, Video } from 'lucide-react'
import type { MeetingType } from '#contract/meetings.ts'

const ICONS = { 'in-person': MapPin, video: Video, phone: Phone }

/** How people meet: at a place, on a screen, by phone. The word stands beside it, or in its button's name. */
export function TypeIcon({ type, className = 'size-3.5' }: { type: MeetingType; className?: string }) {
  const Icon = ICONS[type]
  return <Icon aria-hidden className={`${className} shrink-0`} />
}
