import { createHash } from 'node:crypto'
import pg from 'pg'
import { copyOn } from './copy-statement.ts'

/** A statement is prepared when a process has run it this often … */
const PREPARE_AFTER = 5
/** … and no more than this many are, because each connection keeps its own copies. */
const PREPARED_MAX = 300

const seen = new Map<string, { runs: number; name: string | undefined; isOne: boolean }>()
/** Migrations are several statements in one text: PostgreSQL prepares only one. */
const SEVERAL = /;\s*\S/
let prepared = 0

function nameFor(text: string): string | undefined {
  let entry = seen.get(text)
  if (entry === undefined) {
    // Generated statements (filters, lists) are used once each; they must not fill memory.
    if (seen.size > 5000) seen.clear()
    entry = { runs: 0, name: undefined, isOne: !SEVERAL.test(text) }
    seen.set(text, entry)
  }
  entry.runs += 1
  if (entry.name === undefined && entry.isOne && entry.runs > PREPARE_AFTER && prepared < PREPARED_MAX) {
    entry.name = `h${createHash('sha1').update(text).digest('hex').slice(0, 30)}`
    prepared += 1
  }
  return entry.name
}

/**
 * A connection that prepares the statements it runs often. Planning our short queries costs more than running them,
 * and Kysely sends every statement unnamed.
 */
export class PreparingClient extends pg.Client {
  // The library's own `query` has a dozen overloads, so its type is cast; ours adds a name to the form that Kysely
  // uses and passes the rest on.
  override query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
    const inherited = pg.Client.prototype.query.bind(this) as unknown as (...args: unknown[]) => unknown
    if (typeof text !== 'string' || !Array.isArray(values)) return inherited(text, values, ...rest)
    const copied = copyOn(this, text, values)
    if (copied !== null) return copied
    const name = nameFor(text)
    return name === undefined ? inherited(text, values, ...rest) : inherited({ name, text, values }, ...rest)
  }) as typeof pg.Client.prototype.query
}
