import type { Kysely, Transaction } from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from './tables.ts'

/** The database, with the pool of connections below it for COPY, which Kysely does not know. */
export type Database = Kysely<Tables> & { readonly pool: Pool }

/** The database or an open transaction on it: what a store's functions take. */
export type Queryable = Kysely<Tables> | Transaction<Tables>

export type Tx = Transaction<Tables>
