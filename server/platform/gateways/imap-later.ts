/** RFC 5530, and THROTTLED of Gmail: the server cannot do it now, whatever it was asked. */
const LATER_CODES = new Set([
  'UNAVAILABLE',
  'INUSE',
  'LIMIT',
  'OVERQUOTA',
  'SERVERBUG',
  'THROTTLED',
  'TRYAGAIN',
])
/** RFC 5530 and others: the request itself is at fault, whatever the words beside the code are. */
const OTHER_CODES = new Set([
  'AUTHENTICATIONFAILED',
  'AUTHORIZATIONFAILED',
  'EXPIRED',
  'PRIVACYREQUIRED',
  'CONTACTADMIN',
  'NONEXISTENT',
  'NOPERM',
  'CANNOT',
  'TOOBIG',
  'TRYCREATE',
  'ALREADYEXISTS',
  'BADCHARSET',
  'CLIENTBUG',
  'CORRUPTION',
  'EXPUNGEISSUED',
  'READ-ONLY',
  'HASCHILDREN',
  'UNKNOWN-CTE',
])
/** A limit of one message, and of its size: it is over it later, too. */
const SIZE_WORDS = /size limit|(?:message|mail) (?:is )?too (?:big|large)|maximum (?:message )?size/i
/** Providers say the same in words, without a code. */
const LATER_WORDS =
  /throttl|too many (?:\w+ ){0,3}(?:connection|session|command|request|login|log-in)|(?:bandwidth|rate|connection|command|request|session|download)s? (?:\w+ )?limit|limits? (?:was |is |has been )?(?:exceeded|reached)|exceeded (?:\w+ ){0,4}limit|try (?:it )?(?:again )?later|try again (?:in|after) (?:\d|a few|some)|temporarily\b|temporary (?:\w+ )?(?:failure|error|problem|issue)|server (?:is )?(?:too )?busy|too busy|overload|not available (?:now|at the moment)|service (?:is )?(?:currently )?unavailable|back-?off|internal error occurred|mailbox (?:is )?(?:locked|in use)|being used by another|lock(?:ed)? by another|under maintenance/i
/** A wait that a server asks for is kept, up to this long. */
const PAUSE_MAX_MS = 30 * 60_000

/** Whether a refusal means "later": the account is throttled, busy or over a limit, and the request itself is fine. */
export function meansLater(code: string | undefined, words: string): boolean {
  const said = code?.toUpperCase() ?? codeIn(words)
  if (OTHER_CODES.has(said)) return false
  return LATER_CODES.has(said) || (LATER_WORDS.test(words) && !SIZE_WORDS.test(words))
}

/** The wait that a refusal asks for, in milliseconds; null where it names none. */
export function pauseAskedFor(words: string): number | null {
  const [, amount, unit = ''] =
    /(?:back-?off time|retry[- ]after|try again (?:in|after))[:=\s]+(\d{1,9})\s*(milliseconds|ms|seconds|s|minutes|min|m)?\b/i.exec(
      words,
    ) ?? []
  if (amount === undefined) return null
  return Math.min(Number(amount) * millisecondsOf(unit.toLowerCase()), PAUSE_MAX_MS)
}

/** The response code that a reply begins with; empty where it has none. */
function codeIn(words: string): string {
  return /^\s*\[([A-Za-z-]+)/.exec(words)?.[1]?.toUpperCase() ?? ''
}

function millisecondsOf(unit: string): number {
  if (unit.startsWith('mi') && unit !== 'milliseconds') return 60_000
  if (unit === 'm') return 60_000
  return unit === 'milliseconds' || unit === 'ms' ? 1 : 1000
}
