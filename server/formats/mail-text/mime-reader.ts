import PostalMime, { type Email } from 'postal-mime'
import { unflowed } from './flowed.ts'
import { hasLinesToMend, mendedHeaderLine } from './header-lines.ts'
import { believeBytes, isNamed, type MimePart, someText } from './text-parts.ts'

/** The MIME reader's private state while it reads a mail, line by line. */
type Inside = {
  buf: ArrayBuffer
  readPos: number
  /** The part whose lines come next. */
  currentNode: {
    state: 'header' | 'body' | 'finished'
    contentDecoder: Decoder | null
    decodeFlowedText: typeof unflowed
  }
  root: MimePart
}
type Line = { bytes: Uint8Array; done: boolean }
type Decoder = { update(line: Uint8Array): void }
/** … and when it is done. */
type Built = {
  root: { headers: Email['headers'] }
  textContent: { html?: string; plain?: string }
  attachments: Email['attachments']
}

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
/** Beginning of a line that may end a part. */
const MARK_LINE = '\n--'
/** Base64 is passed on in pieces of this many bytes: the decoder makes a text of each. */
const BASE64_BYTES = 64 * 1024

const library = PostalMime.prototype as unknown as {
  readLine(): Line
  collectNode(node: MimePart, alternative: unknown, related: boolean): Promise<void>
  collectAttachment(node: MimePart, content: ArrayBuffer, related: boolean, isTooDeep: boolean): void
  isInlineTextNode(node: MimePart): boolean
}

/**
 * A MIME reader that reads the body of a part at once instead of line by line. Each line costs the library a promise
 * and two objects, and a mail with a file has thousands. The parts are the same, byte for byte, except for
 * format=flowed, which {@link unflowed} undoes.
 *
 * Beyond the library it reads header lines in the wrong charset, trusts the bytes of a text more than an impossible
 * label, and treats a text with a file name as a file.
 */
export class MimeReader extends PostalMime {
  /** The library's next line; body lines before it that it need not see are skipped. */
  readLine(): unknown {
    const inside = this as unknown as Inside
    const { state, contentDecoder } = inside.currentNode
    if (state === 'body' && contentDecoder !== null) {
      // The library joins quotes with the answers to them.
      inside.currentNode.decodeFlowedText = unflowed
      const bytes = Buffer.from(inside.buf)
      const end = endOfBody(bytes, inside.readPos)
      if (end > inside.readPos) takeLines(contentDecoder, bytes.subarray(inside.readPos, end))
      inside.readPos = end
    }
    const line = library.readLine.call(this)
    if (state !== 'header' || !this.mayNeedMending()) return line
    const { buffer, byteOffset, length } = line.bytes
    return { bytes: mendedHeaderLine(Buffer.from(buffer, byteOffset, length)), done: line.done }
  }

  #mayNeedMending: boolean | undefined

  /** Checked once for the whole mail: hardly any has header lines to mend. */
  private mayNeedMending(): boolean {
    this.#mayNeedMending ??= hasLinesToMend(Buffer.from((this as unknown as Inside).buf))
    return this.#mayNeedMending
  }

  async collectNode(node: MimePart, alternative: unknown, related: boolean): Promise<void> {
    if (library.isInlineTextNode.call(this, node)) {
      believeBytes(node)
      // The only text of a mail is both its content and a file.
      if (isNamed(node) && this.isInlineTextNode(node) && node.content !== null)
        library.collectAttachment.call(this, node, node.content, related, false)
    }
    await library.collectNode.call(this, node, alternative, related)
  }

  isInlineTextNode(node: MimePart): boolean {
    const isText = (part: MimePart) => library.isInlineTextNode.call(this, part)
    if (!isText(node) || !isNamed(node)) return isText(node)
    return !this.hasOwnText(isText)
  }

  #hasOwnText: boolean | undefined

  /** True if the mail has text besides its files; checked once. */
  private hasOwnText(isText: (part: MimePart) => boolean): boolean {
    const { root } = this as unknown as Inside
    this.#hasOwnText ??= someText(root, (part) => isText(part) && !isNamed(part))
    return this.#hasOwnText
  }

  /**
   * The library's message without its own parsing of addresses: we parse them ourselves, and it is slow with groups.
   */
  buildMessage(): Email {
    const { root, textContent, attachments } = this as unknown as Built
    const headers = root.headers.map(({ key, originalKey, value }) => ({ key, originalKey, value }))
    const { html, plain } = textContent
    return {
      headers,
      headerLines: [],
      attachments,
      ...(html ? { html } : {}),
      ...(plain ? { text: plain } : {}),
    }
  }
}

/**
 * The beginning of the next line that may be a boundary, or of the mail's last line; `start` is the beginning of a
 * line.
 */
function endOfBody(bytes: Buffer, start: number): number {
  if (bytes[start] === DASH && bytes[start + 1] === DASH) return start
  const mark = bytes.indexOf(MARK_LINE, start)
  const end = mark < 0 ? bytes.lastIndexOf(LF, bytes.length - 2) : mark
  return Math.max(start, end + 1)
}

/** Passes whole lines of a body to its decoder, as few at a time as it needs. */
function takeLines(decoder: Decoder, lines: Buffer): void {
  const kind = decoder.constructor.name
  if (kind === 'Base64Decoder') {
    for (let at = 0; at < lines.length; at += BASE64_BYTES)
      decoder.update(lines.subarray(at, at + BASE64_BYTES))
  } else if (kind === 'PassThroughDecoder') {
    // The decoder ends its input with a line end.
    decoder.update(withoutReturns(lines).subarray(0, -1))
  } else {
    for (let start = 0, end = lines.indexOf(LF); end >= 0; start = end + 1, end = lines.indexOf(LF, start))
      decoder.update(withoutReturns(lines.subarray(start, end + 1)).subarray(0, -1))
  }
}

/** Lines without the carriage returns at their ends. */
function withoutReturns(lines: Buffer): Buffer {
  let at = lines.indexOf(CR)
  if (at < 0) return lines
  const kept = Buffer.allocUnsafeSlow(lines.length)
  let length = lines.copy(kept, 0, 0, at)
  while (at < lines.length) {
    let next = at
    while (lines[next] === CR) next += 1
    // Only those that end a line are removed.
    if (lines[next] !== LF) for (; at < next; at += 1) kept[length++] = CR
    for (at = next; at < lines.length && lines[at] !== CR; at += 1) kept[length++] = lines[at] as number
  }
  return kept.subarray(0, length)
}
