/** A mail's text with the line by which its recipient can ask for no more of them. */
export function withOptOut(text: string, url: string): string {
  return `${text}\n\n--\nYou do not want such mail? ${url}\n`
}
