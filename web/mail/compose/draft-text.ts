/** A node of the editor's document, in ProseMirror's JSON. */
export type DraftNode = {
  type?: string
  text?: string
  attrs?: Record<string, unknown>
  marks?: readonly { type: string; attrs?: Record<string, unknown> }[]
  content?: readonly DraftNode[]
}

/** RFC 3676, section 4.3: two dashes and a space. */
export const SIGNATURE_SEPARATOR = '-- '

/**
 * The draft as plain text, for mail programs that show no HTML: lists with their markers, quotes with ">", links with
 * their address.
 */
export function draftText(draft: DraftNode): string {
  return linesOf(draft).join('\n')
}

function linesOf(node: DraftNode): string[] {
  const parts = node.content ?? []
  // The editor drops the space at the end of a line.
  if (node.type === 'paragraph')
    return inlineText(parts)
      .split('\n')
      .map((line) => (line === '--' ? SIGNATURE_SEPARATOR : line))
  if (node.type === 'blockquote')
    return parts.flatMap(linesOf).map((line) => (line === '' ? '>' : `> ${line}`))
  if (node.type === 'bulletList') return parts.flatMap((item) => indented('- ', linesOf(item)))
  if (node.type === 'orderedList') {
    const first = Number(node.attrs?.['start'] ?? 1)
    return parts.flatMap((item, index) => indented(`${first + index}. `, linesOf(item)))
  }
  return parts.flatMap(linesOf)
}

const indented = (mark: string, lines: readonly string[]) =>
  lines.map((line, index) => `${index === 0 ? mark : ' '.repeat(mark.length)}${line}`)

function inlineText(parts: readonly DraftNode[]): string {
  let text = ''
  let link = ''
  let linkText = ''
  const endLink = () => {
    if (link !== '' && !says(linkText, link)) text += ` (${link})`
    linkText = ''
  }
  for (const part of parts) {
    const address = addressOf(part)
    if (address !== link) endLink()
    link = address
    const piece = part.type === 'hardBreak' ? '\n' : (part.text ?? '')
    text += piece
    linkText += piece
  }
  endLink()
  return text
}

function addressOf({ marks }: DraftNode): string {
  const address = marks?.find(({ type }) => type === 'link')?.attrs?.['href']
  return typeof address === 'string' ? address : ''
}

/** True if the link's text is its address. */
function says(linkText: string, address: string): boolean {
  const plain = (url: string) =>
    url
      .trim()
      .replace(/^(?:https?:\/\/|mailto:)/i, '')
      .replace(/\/$/, '')
  return plain(linkText) === plain(address)
}
