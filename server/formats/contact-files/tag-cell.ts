/** Separates tags in the staging table; it never occurs in text that can be stored from a file. */
export const TAG_SEPARATOR = '\u001F'

/** Google's name for the group that contains everybody. */
const NO_TAG = /^\* my ?contacts$/i

/** One tag, quoted or plain, and what follows it. */
const TAG = /\s*(?:"((?:[^"]|"")*)"\s*|((?:(?!:::)[^,;])+))(?:[,;]|:::|$)/g

/** Tags as the export writes them: names separated by commas, quoted where they would be read as two. */
export function tagCell(names: readonly string[]): string {
  return names
    .map((name) => (/[",;]|:::|^\*/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
    .join(', ')
}

/** The tags in a cell, separated by commas, semicolons or, as Google does, " ::: ". */
export function readTags(cell: string): string[] {
  const found: string[] = []
  for (const [, quoted, plain = ''] of cell.matchAll(TAG)) {
    const name = quoted === undefined ? withoutMark(plain.trim()) : quoted.replaceAll('""', '"')
    const tidy = name.replaceAll(TAG_SEPARATOR, ' ').replaceAll(/\s+/g, ' ').trim()
    if (tidy !== '') found.push(tidy)
  }
  return found
}

// Google marks its built-in groups with an asterisk.
function withoutMark(name: string): string {
  return NO_TAG.test(name) ? '' : name.replace(/^\* /, '')
}
