/** No server keeps its askers waiting for longer than this, whatever it says. */
const WAIT_MAX_MS = 60 * 60_000
/** And none is asked again sooner. */
const WAIT_MIN_MS = 1000
/** Numbers from here on are instants since 1970, in seconds or in milliseconds; smaller ones are seconds from now. */
const SECONDS_SINCE_1970 = 1e9
const MILLISECONDS_SINCE_1970 = 1e11

/**
 * How long a server wants to be left alone, in milliseconds: by `Retry-After` (RFC 9110), or else by the `x-ratelimit-reset`
 * headers of the limits that are used up, where each provider has its own form. Null where it names no time to come.
 */
export function askedWait(headers: Headers, now: number): number | null {
  const waits = [...headers].flatMap(([name, value]) => {
    const limit = /^x-ratelimit-reset(.*)$/.exec(name)?.[1]
    if (limit === undefined) return []
    const left = headers.get(`x-ratelimit-remaining${limit}`)
    return left === null || Number(left) <= 0 ? [waitIn(value, now)] : []
  })
  const wait = waitIn(headers.get('retry-after') ?? '', now) ?? Math.max(0, ...waits.map((each) => each ?? 0))
  return wait > 0 ? Math.min(Math.max(wait, WAIT_MIN_MS), WAIT_MAX_MS) : null
}

function waitIn(value: string, now: number): number | null {
  const wait = /^\d+(\.\d+)?$/.test(value)
    ? fromNumber(Number(value), now)
    : (fromDuration(value) ?? Date.parse(value) - now)
  return wait > 0 ? wait : null
}

function fromNumber(number: number, now: number): number {
  if (number < SECONDS_SINCE_1970) return number * 1000
  return (number < MILLISECONDS_SINCE_1970 ? number * 1000 : number) - now
}

/** "6m0s", "1.5s", "20ms". */
function fromDuration(value: string): number | null {
  const parts = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/.exec(value)
  if (parts === null || value === '') return null
  const [, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(milliseconds)
}
