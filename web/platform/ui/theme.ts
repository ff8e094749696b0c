export type Theme = 'system' | 'light' | 'dark'

/** Also read by public/theme.js before the first paint. */
const KEY = 'app.theme'

/** The user's choice; "system" follows the device. */
export function currentTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Stores the choice and applies it at once. */
export function setTheme(theme: Theme) {
  if (theme === 'system') {
    localStorage.removeItem(KEY)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(KEY, theme)
    document.documentElement.dataset['theme'] = theme
  }
}
