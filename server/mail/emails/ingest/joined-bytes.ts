type Part = string | ArrayBuffer | ArrayBufferView

/** The part of Blob that the MIME reader uses, without its asynchronous storage: joins parts into one buffer. */
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

/** Nearly all strings among the parts are line ends. */
const LINE_END = Buffer.from('\n')

function bytesOf(part: Part): Uint8Array {
  if (part === '\n') return LINE_END
  if (typeof part === 'string') return Buffer.from(part)
  if (part instanceof ArrayBuffer) return new Uint8Array(part)
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
}
