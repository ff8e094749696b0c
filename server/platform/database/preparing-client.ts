import { createHash } from 'node:crypto'
import pg from 'pg'
import { copyOn } from './copy-statement.ts'

/** A statement is prepared when a process has run it this often. */
const PREPARE_AFTER = 5
/** Migrations are several statements in one text: PostgreSQL prepares only one. */
const SEVERAL = /;\s*\S/

/**
 * Names for the statements that a process runs often: the sixth time that it runs one, and `most` at most, because each connection
 * keeps its own copies. Of the others `remembered` texts are counted.
 */
export function statementNames({ most, remembered }: { most: number; remembered: number }) {
  const named = new Map<string, string>()
  const runs = new Map<string, number>()
  return (text: string): string | undefined => {
    const name = named.get(text)
    if (name !== undefined || named.size >= most || SEVERAL.test(text)) return name
    // Generated statements (filters, lists) are used once each; they must not fill memory.
    if (runs.size > remembered) runs.clear()
    const before = runs.get(text) ?? 0
    runs.set(text, before + 1)
    if (before < PREPARE_AFTER) return undefined
    runs.delete(text)
    named.set(text, `h${createHash('sha1').update(text).digest('hex').slice(0, 30)}`)
    return named.get(text)
  }
}

const nameFor = statementNames({ most: 300, remembered: 5000 })

/**
 * A connection that prepares the statements it runs often. Planning our short queries costs more than running them,
 * and Kysely sends every statement unnamed.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // The statement fails before the connection is seen to end: in between, the pool would give it to the next caller.
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', ({ severity }: { severity?: string }) => {
      if (severity === 'FATAL' || severity === 'PANIC') this.end().catch(() => {})
    })
  }

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
