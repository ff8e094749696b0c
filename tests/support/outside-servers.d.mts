/** The programs of servers of the operator's own: an older PostgreSQL than the one that comes with Howl, and a connection pooler. */
export const OUTSIDE_SERVERS: { initdb: string; postgres: string; pgbouncer: string }

/** True where all of them are installed. */
export function hasOutsideServers(): boolean
