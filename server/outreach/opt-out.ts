/** A mail's text with the line that tells its recipient how to unsubscribe. */
export function withOptOut(text: string, url: string): string {
  return `${text}\n\n--\nYou do not want such mail? ${url}\n`
}
