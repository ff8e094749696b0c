import { z } from 'zod'
import { BadArchive } from './archive.ts'
import { hash } from 'node:crypto'

/** How archives are laid out; a new number for a layout that older versions cannot read. */
export const LAYOUT = 1

const count = z.number().int().min(0)

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: count,
  /** Of all rows, whatever their order ({@link RowSum}). */
  checksum: z.string(),
})

/** What `manifest.json` says of an archive. */
const manifest = z.object({
  format: z.literal('howl-backup'),
  layout: z.literal(LAYOUT, 'was made by another version of Howl'),
  /** The version of Howl that wrote it. */
  howl: z.string(),
  /** The moment that all tables show. */
  taken_at: z.coerce.date(),
  /** The migrations that had made the tables, in order. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(table),
  sequences: z.array(z.object({ name: z.string(), last: z.number(), called: z.boolean() })),
  blobs: z.object({ files: count, bytes: count }),
  /** Where the secret key is: in a file beside the archive, or in it under a passphrase. */
  key: z.object({ place: z.enum(['beside', 'inside']), mark: z.string() }),
  members: count,
  sums: z.string(),
})

export type Manifest = z.output<typeof manifest>
export type ManifestTable = z.output<typeof table>

/** Reads a manifest. @throws BadArchive */
export function readManifest(content: unknown): Manifest {
  const parsed = manifest.safeParse(content)
  if (parsed.success) return parsed.data
  throw new BadArchive('The manifest of this backup cannot be read: it was made by another version of Howl.')
}

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
