import type { Context } from './context.ts'

const AT_ONCE = 200

/**
 * Works through what waits of all users, page by page. What fails is logged and left for the next round: one user's fault keeps
 * nobody else waiting.
 *
 * @param pageAfter the next rows after one, in an order of their own; after undefined the first ones
 * @param fault what the log says of one that failed
 */
export async function workThrough<Row extends object>(
  { log, stopping }: Pick<Context, 'log' | 'stopping'>,
  pageAfter: (after: Row | undefined, limit: number) => Promise<readonly Row[]>,
  work: (row: Row) => Promise<unknown>,
  fault: string,
): Promise<void> {
  let rows: readonly Row[] = []
  do {
    rows = await pageAfter(rows.at(-1), AT_ONCE)
    for (const row of rows) {
      if (stopping.aborted) return
      try {
        await work(row)
      } catch (error) {
        const about: object = { err: error, ...row }
        log.warn(about, `${fault}; it is tried again`)
      }
    }
  } while (rows.length === AT_ONCE)
}
