/** RFC 3676 4.3: always a line of its own, whatever it ends with. */
const SIGNATURE_SEPARATOR = '-- '

/**
 * Undoes format=flowed (RFC 3676 4.1 to 4.5): a line that ends with a blank continues in the next one if that has the
 * same quote depth; a signature separator never does. Quoted lines are returned with one ">" per level and a blank.
 *
 * @param text the decoded body of a part that is marked `format=flowed` @param deletesSpace `DelSp=yes`: the trailing
 *   blank was only added to break the line
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

/** A line's quote depth, and its text without the blank it was stuffed with. */
function taken(line: string): { depth: number; words: string } {
  let depth = 0
  while (line[depth] === '>') depth += 1
  return { depth, words: line.slice(line[depth] === ' ' ? depth + 1 : depth) }
}

function quotedAs(depth: number, words: string): string {
  if (depth === 0) return words
  return words === '' ? '>'.repeat(depth) : `${'>'.repeat(depth)} ${words}`
}
