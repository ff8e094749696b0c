import PostalMime, { type Email } from 'postal-mime'
import { unflowed } from './flowed.ts'
import { hasLinesToMend, mendedHeaderLine } from './header-lines.ts'
import { type Decoder, encodingOf, inside, library, type MimePart } from './postal-mime-inside.ts'
import { believeBytes, isNamed, someText } from './text-parts.ts'

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
/** Beginning of a line that may end a part. */
const MARK_LINE = '\n--'
/** Base64 is passed on in pieces of this many bytes: the decoder makes a text of each. */
const BASE64_BYTES = 64 * 1024

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
    const open = inside(this)
    const { state, contentDecoder } = open.currentNode
    if (state === 'body' && contentDecoder !== null) {
      // The library joins quotes with the answers to them.
      open.currentNode.decodeFlowedText = unflowed
      const bytes = Buffer.from(open.buf)
      const end = endOfBody(bytes, open.readPos)
      if (end > open.readPos) takeLines(contentDecoder, bytes.subarray(open.readPos, end))
      open.readPos = end
    }
    const line = library.readLine.call(this)
    if (state !== 'header' || !this.mayNeedMending()) return line
    const { buffer, byteOffset, length } = line.bytes
    return { bytes: mendedHeaderLine(Buffer.from(buffer, byteOffset, length)), done: line.done }
  }

  #mayNeedMending: boolean | undefined

  /** Checked once for the whole mail: hardly any has header lines to mend. */
  private mayNeedMending(): boolean {
    this.#mayNeedMending ??= hasLinesToMend(Buffer.from(inside(this).buf))
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
    this.#hasOwnText ??= someText(inside(this).root, (part) => isText(part) && !isNamed(part))
    return this.#hasOwnText
  }

  /**
   * The library's message without its own parsing of addresses: we parse them ourselves, and it is slow with groups.
   */
  buildMessage(): Email {
    const { root, textContent, attachments } = inside(this)
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
  const encoding = encodingOf(decoder)
  if (encoding === 'base64') {
    for (let at = 0; at < lines.length; at += BASE64_BYTES)
      decoder.update(lines.subarray(at, at + BASE64_BYTES))
  } else if (encoding === 'none') {
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
