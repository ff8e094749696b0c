// What is kept of a pasted link. Maps are reduced to coordinates or a place search, any other page to its origin and two
// path segments. By the letter of that rule Teams, Webex and Zoom meetings with a passcode would end at a closed door, so
// the links of video services keep their path and what opens the meeting, and elsewhere a passcode or an invitation is kept.

/** Hosts (including subdomains) whose links identify a meeting by more than two path segments, or by parameters. */
const VIDEO_HOSTS = [
  'zoom.us',
  'zoomgov.com',
  'zoom.com',
  'meet.google.com',
  'teams.microsoft.com',
  'teams.microsoft.us',
  'teams.live.com',
  'teams.cloud.microsoft',
  'webex.com',
  'gotomeeting.com',
  'goto.com',
  'gotowebinar.com',
  'whereby.com',
  'meet.jit.si',
  '8x8.vc',
  'facetime.apple.com',
  'app.slack.com',
  'bluejeans.com',
  'chime.aws',
  'join.skype.com',
  'ringcentral.com',
  'feishu.cn',
  'meeting.tencent.com',
  'calendly.com',
  'cal.com',
]

/** Parameters that identify who sent or opens the link, never the meeting. */
const TRACKING =
  /^(utm_.*|[a-z]{1,5}clid|gclsrc|gbraid|wbraid|mc_[ce]id|mkt_tok|igshid|_hs.*|_ga|_gl|vero_.*|oly_.*|ref|ref_src|referrer|source|si|g_st|g_ep|entry|authuser|pli|hs|ijlm|zak|uname|omn|anon|deeplinkid|launchagent|msLaunch|directDl|suppressPrompt)$/i

/** Parameters required to enter a meeting on any host, especially a company's own Jitsi, BigBlueButton or OpenTalk. */
const DOOR = /^(pwd|passcode|password|jwt|invite|invite_code|roomkey)$/i

/** Links that only wrap another one: mail filters and search results. */
const WRAPPERS: readonly { host: RegExp; path: RegExp; names: readonly string[] }[] = [
  { host: /(^|\.)safelinks\.protection\.outlook\.com$/, path: /^/, names: ['url'] },
  { host: /^(www\.)?google\.[a-z.]{2,6}$/, path: /^\/url$/, names: ['q', 'url'] },
]
const UNWRAP_MAX = 3
const SEGMENTS_MAX = 2
/** Longer text is no link: the limits of browsers and servers are far below. */
const LINK_MAX_CHARS = 20_000

/** True for an absolute http or https address. */
export function isWebLink(text: string): boolean {
  return readLink(text) !== null
}

/**
 * The short form of a pasted link; text that is no web address is returned unchanged. Shortening again changes
 * nothing.
 */
export function shortenLink(text: string): string {
  const url = unwrapped(readLink(text))
  if (url === null) return text
  return mapLink(url) ?? videoLink(url) ?? pageLink(url)
}

function readLink(text: string): URL | null {
  if (text.length > LINK_MAX_CHARS || !/^https?:\/\/[^\s]+$/i.test(text)) return null
  try {
    return new URL(text)
  } catch {
    return null
  }
}

function unwrapped(url: URL | null): URL | null {
  let inner = url
  for (let turn = 0; turn < UNWRAP_MAX && inner !== null; turn += 1) {
    const { hostname, pathname, searchParams } = inner
    const wrapper = WRAPPERS.find(({ host, path }) => host.test(hostname) && path.test(pathname))
    const named = wrapper?.names.map((name) => searchParams.get(name)).find((value) => value !== null)
    const next = readLink(named ?? '')
    if (next === null) return inner
    inner = next
  }
  return inner
}

function pageLink(url: URL): string {
  const segments = url.pathname.split('/').filter((part) => part !== '')
  // Nextcloud and similar servers put every page below it.
  const front = segments[0] === 'index.php' ? 1 : 0
  const kept = segments.slice(0, SEGMENTS_MAX + front)
  return withQuery(
    [url.origin, ...kept].join('/'),
    pick(url, (name) => DOOR.test(name)),
  )
}

function videoLink(url: URL): string | null {
  if (!VIDEO_HOSTS.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))) return null
  // FaceTime puts the whole meeting after the "#".
  const fragment = url.hostname === 'facetime.apple.com' ? url.hash : ''
  const path = url.pathname.replace(/\/$/, '')
  return (
    withQuery(
      `${url.origin}${path}`,
      pick(url, (name) => !TRACKING.test(name)),
    ) + fragment
  )
}

/** The selected parameters exactly as written: their encoding must stay. */
function pick(url: URL, wanted: (name: string) => boolean): string {
  return url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && wanted(part.split('=', 1)[0] ?? ''))
    .join('&')
}

const withQuery = (address: string, query: string) => (query === '' ? address : `${address}?${query}`)

const COORDINATES = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,~/_]\s*(-?\d{1,3}(?:\.\d+)?)/

type Place = { coordinates: string | null; name: string | null }

/** `lat,lng` at the beginning of a text, with six decimals (about 10 cm); null if there are none. */
function coordinatesIn(text: string | null | undefined): string | null {
  const [, lat = '', lng = ''] = COORDINATES.exec(text ?? '') ?? []
  if (lat === '' || Math.abs(Number(lat)) > 90 || Math.abs(Number(lng)) > 180) return null
  return [lat, lng].map((part) => String(Number(Number(part).toFixed(6)))).join(',')
}

function mapLink(url: URL): string | null {
  const host = url.hostname.replace(/^www\./, '')
  if (/^maps\.google\.[a-z.]{2,6}$/.test(host)) return googleMaps(url)
  if (/^google\.[a-z.]{2,6}$/.test(host) && /^\/maps(\/|$)/.test(url.pathname)) return googleMaps(url)
  if (host === 'maps.apple.com') return appleMaps(url)
  if (host === 'openstreetmap.org') return openStreetMap(url)
  if (host === 'bing.com' && /^\/maps(\/|$)/.test(url.pathname)) return bingMaps(url)
  if (host === 'waze.com') return waze(url)
  return null
}

function googleMaps(url: URL): string {
  const parameter = first(url, ['query', 'q', 'destination', 'daddr', 'center', 'll', 'cbll'])
  // …/place/Name/@52.51,13.37,17z/data=…!3d52.516!4d13.377: the pin follows !3d and !4d, "@" is only the view.
  const pin = /!3d(-?[\d.]+)!4d(-?[\d.]+)/.exec(url.pathname)
  const parts = url.pathname.split('/').filter((part) => part !== '' && part !== 'maps')
  const view = parts.find((part) => part.startsWith('@'))?.slice(1)
  const kind = parts[0] ?? ''
  const words = parts
    .slice(1)
    .filter((part) => !part.startsWith('@') && !part.includes('='))
    .map((part) => decoded(part.replaceAll('+', ' ')).trim())
  const isNamed = ['place', 'search', 'dir'].includes(kind)
  // Blanks alone are no name: they would be stored as an empty search.
  const name = parameter ?? (isNamed ? (words.findLast((word) => word !== '') ?? null) : null)
  const coordinates =
    (pin === null || kind === 'dir' ? null : coordinatesIn(`${pin[1]},${pin[2]}`)) ?? coordinatesIn(name)
  const base = 'https://www.google.com/maps/search/'
  if (coordinates !== null) return `${base}?api=1&query=${coordinates}`
  const near = coordinatesIn(view)
  if (name === null) {
    return near === null ? pageLink(url) : `${base}?api=1&query=${near}`
  }
  // If only the view is known, the name is searched for around it.
  return near === null || kind === 'dir'
    ? `${base}?api=1&query=${encoded(name)}`
    : `${base}${encoded(name)}/@${near},17z`
}

function appleMaps(url: URL): string {
  const place: Place = {
    coordinates: coordinatesIn(first(url, ['coordinate', 'll', 'sll'])),
    name: first(url, ['q', 'address', 'name', 'daddr']),
  }
  const wanted = place.coordinates ?? coordinatesIn(place.name)
  if (wanted !== null) return `https://maps.apple.com/?q=${wanted}`
  return place.name === null ? pageLink(url) : `https://maps.apple.com/?q=${encoded(place.name)}`
}

function openStreetMap(url: URL): string {
  const { searchParams, hash } = url
  const [lat, lng] = [searchParams.get('mlat'), searchParams.get('mlon')]
  const shown = /map=\d+\/(-?[\d.]+\/-?[\d.]+)/.exec(hash)?.[1]
  const query = searchParams.get('query')
  const isSearch = url.pathname === '/search' && query !== null
  const at =
    coordinatesIn(`${lat},${lng}`) ?? coordinatesIn(query) ?? (isSearch ? null : coordinatesIn(shown))
  // "/node/240109189" identifies a place better than any view of it.
  if (at !== null && (url.pathname === '/' || isSearch)) {
    const [atLat, atLng] = at.split(',')
    return `https://www.openstreetmap.org/?mlat=${atLat}&mlon=${atLng}`
  }
  return isSearch ? `https://www.openstreetmap.org/search?query=${encoded(query)}` : pageLink(url)
}

function bingMaps(url: URL): string {
  const name = first(url, ['where1', 'q', 'ss', 'rtp'])
  const at = coordinatesIn(first(url, ['sp'])?.replace(/^point\./, '')) ?? coordinatesIn(first(url, ['cp']))
  if (name !== null) return `https://www.bing.com/maps?q=${coordinatesIn(name) ?? encoded(name)}`
  return at === null ? pageLink(url) : `https://www.bing.com/maps?q=${at}`
}

function waze(url: URL): string {
  const at = coordinatesIn(first(url, ['ll', 'latlng', 'to'])?.replace(/^ll\./, ''))
  if (at !== null) return `https://www.waze.com/ul?ll=${at}`
  const name = first(url, ['q'])
  return name === null ? pageLink(url) : `https://www.waze.com/ul?q=${encoded(name)}`
}

function first(url: URL, names: readonly string[]): string | null {
  return names.map((name) => url.searchParams.get(name)?.trim()).find((value) => value) ?? null
}

const encoded = (text: string) => encodeURIComponent(text.trim()).replaceAll('%20', '+')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
