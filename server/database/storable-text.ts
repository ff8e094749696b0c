/** Text that the database can hold and that comes back the same: no NUL, no half characters, no blanks around it. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().trim()
}
