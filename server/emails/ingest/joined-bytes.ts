type Part = string | ArrayBuffer | ArrayBufferView

/** What the MIME reader uses of a Blob, without its asynchronous storage: parts, and all of them as one buffer. */
export class JoinedBytes {
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const pieces = this.#parts.map(bytesOf)
    const all = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
    let at = 0
    for (const piece of pieces) {
      all.set(piece, at)
      at += piece.byteLength
    }
    return all.buffer
  }
}

/** The strings among the parts are nearly all line ends. */
const LINE_END = Buffer.from('\n')

function bytesOf(part: Part): Uint8Array {
  if (part === '\n') return LINE_END
  if (typeof part === 'string') return Buffer.from(part)
  if (part instanceof ArrayBuffer) return new Uint8Array(part)
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
}
