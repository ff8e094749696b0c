/** Stands between tags in the staging table; no text that can be stored from a file needs it. */
export const TAG_SEPARATOR = '\u001F'

/** Google calls what everybody is in so. */
const NO_TAG = /^\* my ?contacts$/i

/** One tag, quoted or plain, and what stands after it. */
const TAG = /\s*(?:"((?:[^"]|"")*)"\s*|((?:(?!:::)[^,;])+))(?:[,;]|:::|$)/g

/** Tags as the export writes them: names with commas between, quoted where they would be read as two. */
export function tagCell(names: readonly string[]): string {
  return names
    .map((name) => (/[",;]|:::|^\*/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(', ')
}

/** The tags in a cell, with commas, semicolons or, as Google writes it, " ::: " between them. */
export function readTags(cell: string): string[] {
  const found: string[] = []
  for (const [, quoted, plain = ''] of cell.matchAll(TAG)) {
    const name = quoted === undefined ? withoutMark(plain.trim()) : quoted.replaceAll('""', '"')
    const tidy = name.replaceAll(TAG_SEPARATOR, ' ').replaceAll(/\s+/g, ' ').trim()
    if (tidy !== '') found.push(tidy)
  }
  return found
}

// Google marks what it has made itself by an asterisk.
function withoutMark(name: string): string {
  return NO_TAG.test(name) ? '' : name.replace(/^\* /, '')
}
