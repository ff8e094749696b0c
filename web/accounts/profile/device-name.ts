/** Browsers by what only they say in a user agent. Many also name those below them, so the order counts. */
const BROWSERS: readonly [sign: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

/** Systems; Android also says Linux, and iPhones also say Mac OS X. */
const SYSTEMS: readonly [sign: RegExp, name: string, isPhone: boolean][] = [
  [/\bWindows\b/, 'Windows', false],
  [/\biPhone\b/, 'iPhone', true],
  [/\biPad\b/, 'iPad', true],
  [/\bAndroid\b/, 'Android', true],
  [/\bMac(?:intosh| OS X)\b/, 'Mac', false],
  [/\bCrOS\b/, 'Chromebook', false],
  [/\bLinux\b/, 'Linux', false],
]

export type Device = { name: string; isPhone: boolean }

/** A browser and its system in plain words, such as "Firefox on Windows", from a user agent. */
export function deviceOf(userAgent: string): Device {
  const system = SYSTEMS.find(([sign]) => sign.test(userAgent))
  const browser = BROWSERS.find(([sign]) => sign.test(userAgent))?.[1] ?? programOf(userAgent)
  const [, systemName, isPhone = false] = system ?? []
  if (browser === null) return { name: systemName ?? 'Unknown device', isPhone }
  return { name: systemName === undefined ? browser : `${browser} on ${systemName}`, isPhone }
}

/** The name of a program that is not a browser, such as curl. Every browser calls itself Mozilla. */
function programOf(userAgent: string): string | null {
  const name = /^([\w.-]{1,40})(?:\/|$)/.exec(userAgent)?.[1]
  return name === undefined || name === 'Mozilla' ? null : name
}
