import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
/** What decides how a document looks: the description of its pages with all that it reads, and what draws them. */
const FOLDERS = ['contract', 'server/invoicing/invoices/pdf']
/** The versions of fonts and libraries. */
const VERSIONS = ['package.json', 'package-lock.json']

let known: Promise<Buffer> | undefined

/** A digest of the code, libraries and fonts that draw documents: it changes when any of them does. */
export function drawingVersion(): Promise<Buffer> {
  known ??= readVersion()
  return known
}

async function readVersion(): Promise<Buffer> {
  const hash = createHash('sha256')
  const files = await Promise.all(FOLDERS.map(sourcesIn))
  for (const name of [...files.flat(), ...VERSIONS]) {
    const bytes = await readFile(path.join(ROOT, name)).catch(() => Buffer.alloc(0))
    hash.update(`${name} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest()
}

/** The source files below a folder, sorted. */
async function sourcesIn(folder: string): Promise<string[]> {
  const names = await readdir(path.join(ROOT, folder), { recursive: true })
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name))
    .toSorted()
}
