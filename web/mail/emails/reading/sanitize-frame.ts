import DOMPurify from 'dompurify'

/** A shorter quote stays open: collapsing it would save no room. */
const QUOTE_MIN_CHARS = 200
/** Links beyond this number are left as they are; no newsletter has so many. */
const LINKS_MAX = 2000

/**
 * Cleans a mail's HTML a second time, in the browser that shows it (the server cleans it first), and removes anything
 * that a browser might still execute. Then shows the real host of links and collapses quoted mails.
 *
 * The frame runs no scripts and has its own policy, so this is only one of three layers of protection.
 */
export function sanitizeFrame(frame: Document): void {
  // Uses the frame's own parser: this page's policy forbids inline styles and would report every one in the mail.
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

/** Shows the real host of a link in its tooltip, and beside the link if its text names another host. */
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

/** The host that a link's text names, if any: "www.bank.example", "https://bank.example/login". */
export function hostNamedIn(linkText: string): string | null {
  const found = /^\s*(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,24})(?::\d+)?(?:[/?#]\S*)?\s*$/iu.exec(
    linkText,
  )
  return found?.[1]?.toLowerCase() ?? null
}

/** True for the same host or a subdomain: "bank.example" and "www.bank.example". */
export function isSameSite(named: string, real: string): boolean {
  const plain = (host: string) => host.toLowerCase().replace(/^www\./, '')
  const [one, other] = [plain(named), plain(real)]
  return one === other || other.endsWith(`.${one}`)
}

/** Collapses quoted mails behind a line that opens them; `details` needs no script. */
function foldQuotes(frame: Document): void {
  for (const quote of frame.querySelectorAll('blockquote')) {
    if (quote.parentElement?.closest('blockquote, details') != null) continue
    if ((quote.textContent ?? '').trim().length < QUOTE_MIN_CHARS) continue
    // A mail that consists only of a quote would show nothing.
    if ((frame.body.textContent ?? '').trim().length - (quote.textContent ?? '').trim().length < 2) continue
    const fold = frame.createElement('details')
    fold.className = 'howl-quote'
    const line = frame.createElement('summary')
    line.textContent = 'Show quoted text'
    quote.replaceWith(fold)
    fold.append(line, quote)
  }
}
