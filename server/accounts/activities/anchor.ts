import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '../../platform/context.ts'
import { isSame, sealsOf } from './seals.ts'

/**
 * The end of the chain, as it stands outside the database: whoever cuts off the last rows and puts back an older end of the
 * chain is found by it.
 */
export type Anchor = { position: number; link: Buffer; at: string }

type AnchorContext = Pick<Context, 'config' | 'secrets'>

const fileOf = ({ config }: AnchorContext) => path.join(config.dataDir, 'activity-chain.json')

/** Replaces the anchor in DATA_DIR. */
export async function writeAnchor(context: AnchorContext, { position, link, at }: Anchor): Promise<void> {
  const seal = sealsOf(context).end('head', position, link)
  const text = JSON.stringify({ position, link: link.toString('hex'), at, seal: seal.toString('hex') })
  const file = fileOf(context)
  await mkdir(path.dirname(file), { recursive: true })
  // Under a name of its own: another process may be writing, too.
  const fresh = `${file}.${randomUUID()}`
  try {
    await writeFile(fresh, `${text}\n`, { mode: 0o600 })
    await rename(fresh, file)
  } catch (error) {
    // On a full disk this is tried again and again.
    await rm(fresh, { force: true })
    throw error
  }
}

/** The anchor; null where there is none, `changed` for one that Howl did not write. */
export async function readAnchor(context: AnchorContext): Promise<Anchor | 'changed' | null> {
  let text: string
  try {
    text = await readFile(fileOf(context), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const { position, link, at, seal } = JSON.parse(text) as Record<string, unknown>
    if (typeof position !== 'number' || typeof at !== 'string') return 'changed'
    const bytes = Buffer.from(String(link), 'hex')
    const expected = sealsOf(context).end('head', position, bytes)
    return isSame(expected, Buffer.from(String(seal), 'hex')) ? { position, link: bytes, at } : 'changed'
  } catch {
    return 'changed'
  }
}
