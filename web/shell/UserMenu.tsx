import { Keyboard, LogOut, Settings } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '#web/accounts/auth/session.tsx'
import { paths } from '#web/platform/paths.ts'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { Menu } from '#web/platform/ui/Menu.tsx'
import { showKeys } from '../platform/show-keys.ts'
import { currentTheme, setTheme, type Theme } from '#web/platform/ui/theme.ts'
import type { MenuEntry } from '../platform/ui/menu-props.ts'

const THEMES = [
  { value: 'system', label: 'Same as device' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies ReadonlyArray<{ value: Theme; label: string }>

export function UserMenu() {
  const { user, logOut } = useSession()
  const navigate = useNavigate()
  const [theme, remember] = useState(currentTheme)
  const choose = (value: string) => {
    const next = THEMES.find((option) => option.value === value)?.value ?? 'system'
    setTheme(next)
    remember(next)
  }
  const entries: ReadonlyArray<MenuEntry> = [
    {
      kind: 'note',
      text: (
        <>
          <span className="block font-medium text-ink">{user?.name}</span>
          {user?.email}
        </>
      ),
    },
    { kind: 'separator' },
    {
      kind: 'action',
      label: 'Profile & Settings',
      icon: <Settings aria-hidden />,
      onSelect: () => void navigate(paths.profile),
    },
    {
      kind: 'action',
      label: 'Keyboard shortcuts',
      icon: <Keyboard aria-hidden />,
      onSelect: showKeys,
    },
    { kind: 'separator' },
    { kind: 'choice', label: 'Theme', value: theme, options: THEMES, onChange: choose },
    { kind: 'separator' },
    { kind: 'action', label: 'Logout', icon: <LogOut aria-hidden />, onSelect: () => void logOut() },
  ]
  return (
    <Menu
      label="User menu"
      trigger={<Avatar name={user?.name ?? ''} src={user?.profile_image_url} />}
      entries={entries}
      className="grid size-9 place-items-center rounded-full pointer-coarse:size-11"
    />
  )
}
