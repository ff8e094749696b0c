import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figure.ts'
import { machine } from './machine.ts'
import { table } from './table.ts'

const REPORT = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))
const BEGIN = '<!-- figures: written by `npm run bench -- --write` -->'
const END = '<!-- end of figures -->'

/** Puts the figures into docs/benchmarks.md, between its two marks; the text around them stays. */
export async function writeReport(figures: readonly Figure[]): Promise<void> {
  const before = await readFile(REPORT, 'utf8')
  const [head, rest] = before.split(BEGIN)
  const tail = rest?.split(END)[1]
  if (head === undefined || tail === undefined) throw new Error(`${REPORT} has no place for the figures`)
  const notes = figures.flatMap(({ name, notes = [] }) => notes.map((note) => `- ${name}: ${note}`))
  const middle = [BEGIN, await machine(), table(figures), notes.join('\n'), END].join('\n\n')
  await writeFile(REPORT, `${head}${middle}${tail}`)
}
