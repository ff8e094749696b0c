import { CalendarDays, House, Mail, ReceiptText, Tag, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NavEntry } from '#web/platform/paths.ts'
import { WolfMark } from '../platform/ui/WolfMark.tsx'

export const navIcons: Record<NavEntry['icon'], ReactNode> = {
  home: <House aria-hidden />,
  people: <Users aria-hidden />,
  mail: <Mail aria-hidden />,
  calendar: <CalendarDays aria-hidden />,
  invoice: <ReceiptText aria-hidden />,
  wolf: <WolfMark />,
  tag: <Tag aria-hidden />,
}
