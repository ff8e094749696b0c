/** Rows under construction in COPY's binary format: each column is written after the one before it. */
export type RowWriter = ReturnType<typeof makeRowWriter>

/** PostgreSQL counts microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const TEXT_TYPE = 25
const NULL_LENGTH = -1
const JSONB_VERSION = 1
/** Upper bound of UTF-8 bytes per UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** Overwrites the number of a `bigint` column whose length field begins at `start`. */
export function overwriteBigint(row: Uint8Array, start: number, value: number): void {
  new DataView(row.buffer, row.byteOffset + start + 4).setBigInt64(0, BigInt(value))
}

/** A writer whose `take` returns what was written since the last call. */
export function makeRowWriter(capacity = 16_384) {
  let bytes = Buffer.allocUnsafeSlow(0)
  let at = 0

  const makeRoom = (count: number) => {
    if (at + count <= bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(capacity, bytes.length * 2, at + count))
    bytes.copy(larger, 0, 0, at)
    bytes = larger
  }
  const putInt32 = (value: number) => {
    at = bytes.writeInt32BE(value, at)
  }
  const putInt64 = (value: number) => {
    const high = Math.floor(value / 2 ** 32)
    at = bytes.writeInt32BE(high, at)
    at = bytes.writeUInt32BE(value - high * 2 ** 32, at)
  }
  /**
   * Makes room for a text and its length field: as much as it may need, or exactly what it needs where space is
   * short.
   */
  const makeRoomFor = (text: string, before: number) => {
    if (at + before + text.length * BYTES_PER_UNIT > bytes.length) makeRoom(before + Buffer.byteLength(text))
  }
  const putText = (value: string) => {
    const length = bytes.write(value, at + 4)
    putInt32(length)
    at += length
  }

  const writer = {
    get length() {
      return at
    },
    columns(count: number): void {
      makeRoom(2)
      at = bytes.writeInt16BE(count, at)
    },
    none(): void {
      makeRoom(4)
      putInt32(NULL_LENGTH)
    },
    int(value: number): void {
      makeRoom(8)
      putInt32(4)
      putInt32(value)
    },
    bigint(value: number): void {
      makeRoom(12)
      putInt32(8)
      putInt64(value)
    },
    boolean(value: boolean): void {
      makeRoom(5)
      putInt32(1)
      at = bytes.writeUInt8(value ? 1 : 0, at)
    },
    time(value: Date): void {
      makeRoom(12)
      putInt32(8)
      putInt64((value.getTime() - EPOCH_MS) * 1000)
    },
    text(value: string | null): void {
      if (value === null) return writer.none()
      makeRoomFor(value, 4)
      putText(value)
    },
    json(value: unknown): void {
      const text = JSON.stringify(value)
      makeRoomFor(text, 5)
      const length = bytes.write(text, at + 5)
      putInt32(length + 1)
      bytes[at] = JSONB_VERSION
      at += 1 + length
    },
    texts(values: readonly string[]): void {
      makeRoom(24 + values.reduce((sum, value) => sum + 4 + value.length * BYTES_PER_UNIT, 0))
      const start = at
      at += 4
      // Number of dimensions, "no element is null", element type; then the number of elements and the first index.
      for (const field of values.length === 0 ? [0, 0, TEXT_TYPE] : [1, 0, TEXT_TYPE, values.length, 1])
        putInt32(field)
      for (const value of values) putText(value)
      bytes.writeInt32BE(at - start - 4, start)
    },
    bytes(value: Uint8Array | null): void {
      if (value === null) return writer.none()
      makeRoom(4 + value.length)
      putInt32(value.length)
      bytes.set(value, at)
      at += value.length
    },
    /** Bytes that are already encoded columns. */
    written(columns: Uint8Array): void {
      makeRoom(columns.length)
      bytes.set(columns, at)
      at += columns.length
    },
    take(): Uint8Array<ArrayBuffer> {
      const taken = bytes.subarray(0, at)
      bytes = Buffer.allocUnsafeSlow(0)
      at = 0
      return taken
    },
  }
  return writer
}
