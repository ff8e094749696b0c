/** Text that the database stores and returns unchanged: no NUL, no lone surrogates, no surrounding blanks. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().trim()
}
