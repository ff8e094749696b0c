/** A tag's name normalized for comparison: case and repeated blanks do not count. */
export function tagKey(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
