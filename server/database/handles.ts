import type { Kysely } from 'kysely'
import { type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

/** The database or an open transaction on it: what a store's functions take. */
export type Queryable = Kysely<Tables> | Transaction<Tables>

export type Tx = Transaction<Tables>
