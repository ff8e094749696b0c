import type { CountryCode } from '#contract/values.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Columns } from '../contact-files/csv-columns.ts'
import type { FileLayout } from '../contact-files/file-layout.ts'
import type { RefusedRow } from './import-row.ts'

/** So many refused rows are listed with their reasons; all are counted. */
export const LISTED_MAX = 1000

/** What a thread that reads a file is told. */
export type ReadOrder = {
  /** An open file, shared by the threads of a process. */
  fd: number
  layout: Pick<FileLayout, 'format' | 'source' | 'delimiter' | 'headerLine'> & { names: string[] }
  columns: Columns
  country: CountryCode | undefined
  /** `staging`: good rows as lines of COPY. `refused`: the others as CSV. */
  wants: 'staging' | 'refused'
}

/** Lines whose address is in a later line again, in order, and that later line. */
export type Repeat = { line: number; usedLine: number }

/** What the thread says; it waits for an answer to each `batch` but the last few, and to each `ask`. */
export type FromReader =
  | { kind: 'batch'; bytes: number; rows: number; text: Uint8Array<ArrayBuffer> }
  | { kind: 'ask'; afterLine: number }
  | { kind: 'end'; refused: number; listed: RefusedRow[] }
  | { kind: 'refusal'; status: number; detail: string; code: ErrorCode | undefined }

export type ToReader = { kind: 'more' } | { kind: 'repeats'; repeats: Repeat[] }
