import {
  Archive,
  ArchiveRestore,
  Mail,
  MailOpen,
  OctagonAlert,
  ShieldCheck,
  Star,
  StarOff,
  Trash2,
  Undo2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { MailAction } from '#contract/mail/email-actions.ts'

export const ACTION_ICONS: Record<MailAction, ReactNode> = {
  read: <MailOpen aria-hidden />,
  unread: <Mail aria-hidden />,
  star: <Star aria-hidden />,
  unstar: <StarOff aria-hidden />,
  archive: <Archive aria-hidden />,
  unarchive: <ArchiveRestore aria-hidden />,
  trash: <Trash2 aria-hidden />,
  restore: <Undo2 aria-hidden />,
  spam: <OctagonAlert aria-hidden />,
  'not-spam': <ShieldCheck aria-hidden />,
  delete: <Trash2 aria-hidden />,
}
