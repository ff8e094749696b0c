// Plain JavaScript: scripts/prepare.mjs runs it on the machine's own Node, Vitest's configuration on ours.
import { accessSync, constants } from 'node:fs'

/** Where Debian puts the programs of the oldest PostgreSQL that Howl works on. */
const POSTGRES = '/usr/lib/postgresql/15/bin'

/** Servers of the operator's own: an older PostgreSQL than the one that comes with Howl, and a connection pooler. */
export const OUTSIDE_SERVERS = {
  initdb: `${POSTGRES}/initdb`,
  postgres: `${POSTGRES}/postgres`,
  pgbouncer: '/usr/sbin/pgbouncer',
}

/** True where all of them are installed. */
export function hasOutsideServers() {
  return Object.values(OUTSIDE_SERVERS).every((program) => {
    try {
      accessSync(program, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
