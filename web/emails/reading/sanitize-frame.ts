import DOMPurify from 'dompurify'

/** A quote shorter than this stays: folding it would hide nothing. */
const QUOTE_MIN_CHARS = 200
/** Links beyond these are left as they are; no newsletter has so many. */
const LINKS_MAX = 2000

/**
 * The second cleaning of a mail's HTML, by the browser that shows it (the first is the server's): whatever a browser
 * might still take for more than words goes. Then links tell their true host and quoted mails are folded.
 *
 * The frame runs no scripts at all and has a policy of its own, so this is the third of three doors.
 */
export function sanitizeFrame(frame: Document): void {
  // With the frame's own parser: this page's policy knows no inline styles, and would name every one of a mail's.
  const purify = DOMPurify(frame.defaultView ?? window)
  const clean = purify.sanitize(frame.body.innerHTML, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    ADD_ATTR: ['target'],
    FORBID_TAGS: ['form', 'input', 'button', 'select', 'textarea', 'video', 'audio', 'meta', 'link', 'base'],
  })
  frame.body.replaceChildren(frame.importNode(clean, true))
  for (const link of [...frame.querySelectorAll('a[href]')].slice(0, LINKS_MAX)) tellHost(link)
  foldQuotes(frame)
}

/** The true host of a link stands in its tooltip, and beside it where its words name another one. */
function tellHost(link: Element): void {
  const url = URL.parse(link.getAttribute('href') ?? '')
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return
  link.setAttribute('rel', 'noopener noreferrer nofollow')
  link.setAttribute('target', '_blank')
  link.setAttribute('title', url.host)
  const named = hostNamedIn(link.textContent ?? '')
  if (named === null || isSameSite(named, url.hostname)) return
  const mark = link.ownerDocument.createElement('span')
  mark.className = 'howl-host'
  mark.textContent = ` [leads to ${url.host}]`
  link.append(mark)
}

/** The host that a link's words look like, if they do: "www.bank.example", "https://bank.example/login". */
export function hostNamedIn(linkText: string): string | null {
  const found = /^\s*(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,24})(?::\d+)?(?:[/?#]\S*)?\s*$/iu.exec(
    linkText,
  )
  return found?.[1]?.toLowerCase() ?? null
}

/** True for one host and for hosts below it: "bank.example" and "www.bank.example". */
export function isSameSite(named: string, real: string): boolean {
  const plain = (host: string) => host.toLowerCase().replace(/^www\./, '')
  const [one, other] = [plain(named), plain(real)]
  return one === other || other.endsWith(`.${one}`)
}

/** Quoted mails close behind a line that opens them; `details` needs no script. */
function foldQuotes(frame: Document): void {
  for (const quote of frame.querySelectorAll('blockquote')) {
    if (quote.parentElement?.closest('blockquote, details') != null) continue
    if ((quote.textContent ?? '').trim().length < QUOTE_MIN_CHARS) continue
    // A mail that is nothing but a quote would show nothing.
    if ((frame.body.textContent ?? '').trim().length - (quote.textContent ?? '').trim().length < 2) continue
    const fold = frame.createElement('details')
    fold.className = 'howl-quote'
    const line = frame.createElement('summary')
    line.textContent = 'Show quoted text'
    quote.replaceWith(fold)
    fold.append(line, quote)
  }
}
