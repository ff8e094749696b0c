import {
  ArrowRight,
  CalendarPlus,
  ListPlus,
  LogOut,
  Moon,
  PenLine,
  Send,
  Sun,
  SunMoon,
  Upload,
  UserPlus,
} from 'lucide-react'
import { useNavigate } from 'react-router'
import { useSession } from '#web/accounts/auth/session.tsx'
import { type NavEntry, paths } from '#web/platform/paths.ts'
import { currentTheme, setTheme } from '#web/platform/ui/theme.ts'
import type { Group, Item } from './findings.ts'

/** What can open over the current page. */
export type Opens = 'compose' | 'contact' | 'task' | 'generate'

/** The actions and pages of the palette, whatever is typed. */
export function useOffers(entries: ReadonlyArray<NavEntry>, open: (what: Opens) => void): Group[] {
  const navigate = useNavigate()
  const { logOut } = useSession()
  const hasMeetings = entries.some(({ path }) => path === paths.meetings)
  const actions: Item[] = [
    item('Compose', <PenLine aria-hidden />, 'write new email mail', () => open('compose')),
    item('Add Contact', <UserPlus aria-hidden />, 'new person create', () => open('contact')),
    item('Add Task', <ListPlus aria-hidden />, 'new todo create', () => open('task')),
    ...(hasMeetings
      ? [
          item('Schedule Meeting', <CalendarPlus aria-hidden />, 'new calendar add create', () =>
            navigate(`${paths.meetings}?new=1`),
          ),
        ]
      : []),
    item('Generate & Send Emails', <Send aria-hidden />, 'bulk outreach run', () => open('generate')),
    item('Import Contacts', <Upload aria-hidden />, 'csv file upload', () =>
      navigate(`${paths.contacts}?import=1`),
    ),
    ...THEMES.filter(({ theme }) => theme !== currentTheme()).map(({ theme, label, icon }) =>
      item(label, icon, 'theme switch mode colour appearance', () => setTheme(theme)),
    ),
    item('Logout', <LogOut aria-hidden />, 'log out sign off', () => logOut()),
  ]
  const go = (label: string, path: string, keywords = '') =>
    item(label, <ArrowRight aria-hidden />, `go open page ${keywords}`, () => navigate(path))
  const pages = [
    ...entries.map(({ label, path }) => go(label, path, PAGE_WORDS[label] ?? '')),
    go('Outreach', paths.outreach, 'sequences steps bulk mail about you offer follow-ups'),
    go('Templates', `${paths.outreach}/templates`, 'outreach letters texts merge fields'),
    go('Profile & Settings', paths.profile, 'account mailbox smtp imap password'),
  ]
  return [
    { name: 'Actions', items: actions },
    { name: 'Pages', items: pages },
  ]
}

const PAGE_WORDS: Record<string, string> = {
  Dashboard: 'home start tasks',
  Contact: 'contacts people',
  Email: 'emails mail inbox',
  Meeting: 'meetings calendar',
}

const THEMES = [
  { theme: 'light', label: 'Theme: Light', icon: <Sun aria-hidden /> },
  { theme: 'dark', label: 'Theme: Dark', icon: <Moon aria-hidden /> },
  { theme: 'system', label: 'Theme: Same as device', icon: <SunMoon aria-hidden /> },
] as const

function item(title: string, icon: Item['icon'], keywords: string, run: () => unknown): Item {
  return { id: title.replaceAll(/\W+/g, '-'), title, icon, keywords, run: () => void run() }
}
