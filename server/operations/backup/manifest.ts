import { z } from 'zod'
import { BadArchive } from './archive.ts'

/** How archives are laid out; a new number for a layout that older versions cannot read. */
export const LAYOUT = 1

const count = z.number().int().min(0)

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: count,
  /** Of all rows, whatever their order (`row-sum.ts`). */
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
