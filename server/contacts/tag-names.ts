/** A tag's name as two of them are compared: letter case and repeated blanks make no other tag. */
export function tagKey(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
