/**
 * The editor's HTML as other mail programs need it: they give paragraphs a margin that the editor does not show, and
 * empty ones no height.
 */
export function mailHtml(written: string): string {
  return written
    .replace(/(?:<p><\/p>)+$/, '')
    .replaceAll('<p></p>', '<p><br></p>')
    .replaceAll('<p>', '<p style="margin:0">')
}

/** The reverse: the HTML of a draft as the editor needs it. */
export function editorHtml(kept: string): string {
  return kept.replaceAll(/<p\b[^>]*>\s*<br\s*\/?>\s*<\/p>/gi, '<p></p>')
}

/** True if the HTML says no more than the text, so that the mail can be plain text. */
export function isPlain(html: string): boolean {
  return !/<(?!\/?(?:p|br)\b)[a-z]/i.test(html)
}
