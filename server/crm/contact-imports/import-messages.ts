import type { CountryCode } from '#contract/platform/countries.ts'
import type { ErrorCode } from '#contract/platform/errors.ts'
import type { Columns } from '../../formats/contact-files/csv-columns.ts'
import type { FileLayout } from '../../formats/contact-files/file-layout.ts'
import type { RefusedRow } from './import-row.ts'

/** This many refused rows are listed with their reasons; all are counted. */
export const LISTED_MAX = 1000

/** What a reading thread is given. */
export type ReadOrder = {
  /** An open file, shared by the threads of a process. */
  fd: number
  layout: Pick<FileLayout, 'format' | 'source' | 'delimiter' | 'headerLine'> & { names: string[] }
  columns: Columns
  country: CountryCode | undefined
  /** `staging`: good rows as lines of COPY. `refused`: the others as CSV. */
  wants: 'staging' | 'refused'
}

/** Lines whose address appears again in a later line, in order, with that later line. */
export type Repeat = { line: number; usedLine: number }

/** Messages of the thread. It waits for an answer to each `ask`, and to each `batch` except the last few. */
export type FromReader =
  | { kind: 'batch'; bytes: number; rows: number; text: Uint8Array<ArrayBuffer> }
  | { kind: 'ask'; afterLine: number }
  | { kind: 'end'; refused: number; listed: RefusedRow[] }
  | { kind: 'refusal'; status: number; detail: string; code: ErrorCode | undefined }

export type ToReader = { kind: 'more' } | { kind: 'repeats'; repeats: Repeat[] }
