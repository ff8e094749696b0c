/** A server that never ends a line must not fill the memory. */
const UNFINISHED_MAX = 1_000_000

/**
 * Reads a stream of server-sent events (WHATWG HTML 9.2.6): give it the text as it comes, in any pieces, and it calls
 * `onData` with the data of each whole event. Comments, event names and ids are passed over.
 *
 * @throws Error when an event grows beyond a million characters.
 */
export function makeEventReader(onData: (data: string) => void): (text: string) => void {
  let unread = ''
  let data: string[] = []
  return (text) => {
    unread += text
    if (unread.length > UNFINISHED_MAX) throw new Error('An event of the live stream does not end')
    // A CR at the very end may be the first half of CRLF: it waits for what follows.
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
