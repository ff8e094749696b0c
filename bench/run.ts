import { parseArgs } from 'node:util'
import { writeReport } from './parts/report.ts'
import type { Benchmark, Figure } from './parts/figure.ts'
import { table } from './parts/table.ts'
import { adminBench } from './admin.ts'
import { assistantBench } from './assistant.ts'
import { assistantStream } from './assistant-stream.ts'
import { contactsImport } from './contacts-import.ts'
import { contactsList } from './contacts-list.ts'
import { dashboard } from './dashboard.ts'
import { firstSync } from './first-sync.ts'
import { ingest } from './ingest.ts'
import { interaction } from './interaction.ts'
import { invoices } from './invoices.ts'
import { judging } from './judge.ts'
import { lists } from './lists.ts'
import { send } from './send.ts'
import { sequencesBench } from './sequences.ts'
import { serving } from './serve.ts'
import { tenants } from './tenants.ts'

// npm run bench [-- names…]: measures and prints a table. npm run bench -- --write keeps a whole run in docs/benchmarks.md.

const BENCHMARKS: readonly Benchmark[] = [
  send,
  ingest,
  firstSync,
  contactsImport,
  serving,
  lists,
  dashboard,
  contactsList,
  invoices,
  assistantBench,
  assistantStream,
  interaction,
  tenants,
  adminBench,
  sequencesBench,
  judging,
]

const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true })
const unknown = positionals.filter((name) => BENCHMARKS.every((each) => each.name !== name))
if (unknown.length > 0) {
  console.error(
    `No such benchmark: ${unknown.join(', ')}. There are ${BENCHMARKS.map((each) => each.name).join(', ')}.`,
  )
  process.exit(1)
}

if (values.write === true && positionals.length > 0) {
  console.error('--write keeps a whole run: leave the names away.')
  process.exit(1)
}

const figures: Figure[] = []
for (const { name, measure } of BENCHMARKS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  console.log(`${name} …`)
  const found = await measure()
  figures.push(...found)
  for (const { notes = [] } of found) for (const note of notes) console.log(`  ${note}`)
}
console.log(`\n${table(figures)}`)
if (values.write === true) await writeReport(figures)
process.exit(0)
