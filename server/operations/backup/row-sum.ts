import { hash } from 'node:crypto'

const NEWLINE = 0x0a
const LANES = 8

/**
 * A count and a checksum of rows in COPY's text format, in which a line is a row. The order of the rows does not matter, as
 * it does not in a table: the words of all rows' SHA-256 are added up.
 */
export class RowSum {
  rows = 0
  private readonly lanes = new Uint32Array(LANES)
  private rest: Buffer[] = []

  add(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.row(chunk.subarray(from, end))
      from = end + 1
    }
    if (from < chunk.length) this.rest.push(chunk.subarray(from))
  }

  /** 64 hexadecimal digits. */
  get checksum(): string {
    return Array.from(this.lanes, (lane) => lane.toString(16).padStart(8, '0')).join('')
  }

  private row(end: Buffer): void {
    const row = this.rest.length === 0 ? end : Buffer.concat([...this.rest, end])
    if (this.rest.length > 0) this.rest = []
    const digest = hash('sha256', row, 'buffer')
    for (let lane = 0; lane < LANES; lane++)
      this.lanes[lane] = ((this.lanes[lane] ?? 0) + digest.readUInt32LE(lane * 4)) >>> 0
    this.rows += 1
  }
}
