import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { arrivals, type BulkRun, CONNECTIONS, prepareBulkRun } from './bulk-run.ts'
import { untilDone } from './kill.ts'

const MAILS = 400

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end()
})

/**
 * How often the database has refused to hear that mails have left, how many it holds for under way, and how many it knows
 * to have left or to be under way.
 */
type Deaf = {
  refusals(): Promise<number>
  underWay(): Promise<number>
  begun(): Promise<number>
  again(): Promise<void>
}

/** When `after` mails have left the database takes no word of any more, as if it were restarting; until `again`. */
async function deafen(url: string, after: number): Promise<Deaf> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  ended.push(() => client.end())
  // What a sequence has counted stays when the statement fails.
  await client.query(`
    CREATE SEQUENCE told;
    CREATE SEQUENCE refusals;
    CREATE FUNCTION not_now() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('told') > ${after} THEN
          PERFORM nextval('refusals');
          RAISE EXCEPTION 'not now' USING ERRCODE = 'cannot_connect_now';
        END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER not_now BEFORE UPDATE ON deliveries FOR EACH ROW
      WHEN (NEW.state = 'sent' AND OLD.state <> 'sent') EXECUTE FUNCTION not_now()`)
  const count = async (text: string) => Number((await client.query<{ count: string }>(text)).rows[0]?.count)
  return {
    refusals: () => count('SELECT last_value AS count FROM refusals'),
    underWay: () => count(`SELECT count(*) FROM deliveries WHERE state = 'committed'`),
    begun: () => count(`SELECT count(*) FROM deliveries WHERE state IN ('sent', 'committed')`),
    again: async () => void (await client.query('DROP FUNCTION not_now CASCADE')),
  }
}

it(
  'doubles no mail whose server had answered when the process was killed, though the database knew of none',
  { timeout: 120_000 },
  async () => {
    const database = await freshDatabase()
    ended.push(database.drop)
    const deaf = await deafen(database.url, MAILS / 2)
    const run = await prepareBulkRun(MAILS, { DATABASE_URL: database.url })
    ended.push(run.end)
    run.begin()
    // While one write is tried again and again the connections stand still, each with a mail that was taken.
    await expect.poll(deaf.refusals, { timeout: 30_000 }).toBeGreaterThan(1)
    await expect
      .poll(async () => (await run.sink.count()) - (await deaf.begun()), { timeout: 30_000 })
      .toBe(0)
    expect(await deaf.underWay()).toBeGreaterThan(CONNECTIONS / 2)
    await answersRead(run)
    await run.howl.kill()
    await deaf.again()
    await run.restart()
    await untilDone(run)
    expect(await arrivals(run.sink)).toEqual({ mails: MAILS, doubles: 0 })
    expect(await run.summary()).toMatchObject({ sent: MAILS, errors: 0, pending: 0 })
  },
)

/** Howl reads in order: when it has answered a few more calls, it has read what the sink had sent before. */
async function answersRead(run: BulkRun): Promise<void> {
  for (let call = 0; call < 3; call++) await run.summary()
}
