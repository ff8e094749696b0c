import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Face } from '#contract/invoicing/invoice-document/faces.ts'

const require = createRequire(import.meta.url)
const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`))

const read = new Map<Face, Buffer>()

/** The font file of a face, as browsers load it too; each is read once by a thread. */
export function fontFile(face: Face): Buffer {
  const known = read.get(face)
  if (known !== undefined) return known
  const family = face.startsWith('arabic') ? 'ibm-plex-sans-arabic' : 'noto-sans'
  const bytes = readFileSync(
    path.join(folderOf(`@fontsource/${family}`), `files/${family}-${face}-normal.woff`),
  )
  read.set(face, bytes)
  return bytes
}
