/**
 * What the editor holds as mail programs have to get it: they give paragraphs a margin that the editor does not show, and
 * empty ones no height at all.
 */
export function mailHtml(written: string): string {
  return written
    .replace(/(?:<p><\/p>)+$/, '')
    .replaceAll('<p></p>', '<p><br></p>')
    .replaceAll('<p>', '<p style="margin:0">')
}

/** The other way round: HTML of a draft for the editor. */
export function editorHtml(kept: string): string {
  return kept.replaceAll(/<p\b[^>]*>\s*<br\s*\/?>\s*<\/p>/gi, '<p></p>')
}

/** True where the HTML says no more than the text: then the mail is a plain one. */
export function isPlain(html: string): boolean {
  return !/<(?!\/?(?:p|br)\b)[a-z]/i.test(html)
}
