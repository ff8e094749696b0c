/** A server that never ends a line must not fill the memory. */
const UNFINISHED_MAX = 1_000_000

/**
 * Parses a stream of server-sent events (WHATWG HTML 9.2.6). The returned function takes the text in pieces of any
 * size; `onData` gets the data of each complete event. Comments, event names and ids are ignored.
 *
 * @throws Error if an event grows beyond a million characters.
 */
export function makeEventReader(onData: (data: string) => void): (text: string) => void {
  let unread = ''
  let data: string[] = []
  return (text) => {
    unread += text
    if (unread.length > UNFINISHED_MAX) throw new Error('An event of the live stream does not end')
    // A CR at the very end may be the first half of a CRLF, so it waits for the next piece.
    const lines = unread.split(/\r\n|\n|\r(?!$)/)
    unread = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''))
      else if (line === '' && data.length > 0) {
        onData(data.join('\n'))
        data = []
      }
    }
  }
}
