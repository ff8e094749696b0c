import { sql } from 'kysely'
import type { Queryable } from './handles.ts'

/** A tag for one statement. What stands in `${…}` is a parameter, or a piece that `sql` has made. */
type Statement<Answer> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Answer>

/** The rows of a statement: ``queryRows<Row>(db)`SELECT …` ``. */
export const queryRows =
  <Row>(db: Queryable): Statement<Row[]> =>
  async (text, ...values) =>
    (await sql<Row>(text, ...values).execute(db)).rows

/** The first row of a statement; undefined if it has none. */
export const queryRow =
  <Row>(db: Queryable): Statement<Row | undefined> =>
  async (text, ...values) =>
    (await queryRows<Row>(db)(text, ...values))[0]

/** The only row of a statement that always has one: sums, or a row just added. */
export const queryOne =
  <Row>(db: Queryable): Statement<Row> =>
  async (text, ...values) => {
    const [row] = await queryRows<Row>(db)(text, ...values)
    if (row === undefined) throw new Error('A statement that has a row had none')
    return row
  }

/** The column `id` of a statement's rows. */
export const queryIds =
  (db: Queryable): Statement<number[]> =>
  async (text, ...values) =>
    (await queryRows<{ id: number }>(db)(text, ...values)).map(({ id }) => id)

/** The number that a statement's first row says; 0 where it says none. */
export const queryNumber =
  (db: Queryable): Statement<number> =>
  async (text, ...values) =>
    Object.values((await queryRow<Record<string, number | null>>(db)(text, ...values)) ?? {})[0] ?? 0

/** Runs a statement that changes rows; says how many. */
export const execute =
  (db: Queryable): Statement<number> =>
  async (text, ...values) =>
    Number((await sql(text, ...values).execute(db)).numAffectedRows ?? 0)

/** Runs a statement that changes rows; says whether there were any. */
export const didChange =
  (db: Queryable): Statement<boolean> =>
  async (text, ...values) =>
    (await execute(db)(text, ...values)) > 0
