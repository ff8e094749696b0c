export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string; host: string }

/** In a mail with more links than this, the rest stays text. */
const LINKS_MAX = 500
/** Longer addresses stay text: nobody can judge where they lead. */
const ADDRESS_MAX = 2000

/**
 * Splits text into plain parts and links. Only http and https become links, each with the host that it really leads to.
 */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let done = 0
  let links = 0
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"`]+/giu)) {
    if (links === LINKS_MAX) break
    if (match[0].length > ADDRESS_MAX) continue
    const address = withoutTail(match[0])
    const url = URL.parse(address)
    if (url === null) continue
    if (match.index > done) parts.push({ kind: 'text', text: text.slice(done, match.index) })
    parts.push({ kind: 'link', text: address, href: url.href, host: url.host })
    done = match.index + address.length
    links += 1
  }
  if (done < text.length) parts.push({ kind: 'text', text: text.slice(done) })
  return parts
}

// "(see https://a.example/x)." The bracket and full stop are not part of the address; in "…/Moon_(film)" the bracket
// is.
function withoutTail(address: string): string {
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1)
    const closes = last === ')' && !address.slice(0, end).includes('(')
    if (!closes && !".,;:!?'*]}".includes(last)) break
  }
  return address.slice(0, end)
}
