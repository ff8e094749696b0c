/** RFC 3676 4.3: a line of its own, whatever it ends with. */
const SIGNATURE_SEPARATOR = '-- '

/**
 * Undoes format=flowed (RFC 3676 4.1 to 4.5): lines that end with a blank run on in the next one, where it stands as deep
 * in the quote; the signature's separator never does. Quoted lines come back with one ">" a level and a blank.
 *
 * @param text the decoded body of a part that is marked `format=flowed`
 * @param deletesSpace `DelSp=yes`: the blank that a line ends with was put there to break it
 */
export function unflowed(text: string, deletesSpace: boolean): string {
  const paragraphs: string[] = []
  let open: { depth: number; pieces: string[] } | null = null
  const close = () => {
    if (open !== null) paragraphs.push(quotedAs(open.depth, open.pieces.join('')))
    open = null
  }
  for (const line of text.split(/\r?\n/)) {
    const { depth, words } = taken(line)
    const isSeparator = words === SIGNATURE_SEPARATOR
    if (open !== null && (open.depth !== depth || isSeparator)) close()
    const runsOn = words.endsWith(' ') && !isSeparator
    open ??= { depth, pieces: [] }
    open.pieces.push(runsOn && deletesSpace ? words.slice(0, -1) : words)
    if (!runsOn) close()
  }
  close()
  return paragraphs.join('\n')
}

/** How deep a line stands in the quote, and its words without the blank that it is stuffed with. */
function taken(line: string): { depth: number; words: string } {
  let depth = 0
  while (line[depth] === '>') depth += 1
  return { depth, words: line.slice(line[depth] === ' ' ? depth + 1 : depth) }
}

function quotedAs(depth: number, words: string): string {
  if (depth === 0) return words
  return words === '' ? '>'.repeat(depth) : `${'>'.repeat(depth)} ${words}`
}
