import pg from 'pg'
import { afterEach, expect, it } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { arrivals, type BulkRun, CONNECTIONS, prepareBulkRun } from './bulk-run.ts'
import { untilDone } from './kill.ts'

const MAILS = 200

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end()
})

/**
 * How often the database has refused to record sent mails, how many it holds as being sent, and how many it knows to be
 * sent or being sent.
 */
type RefusingDatabase = {
  refusals(): Promise<number>
  beingSent(): Promise<number>
  begun(): Promise<number>
  accept(): Promise<void>
}

/** Once `after` mails are sent the database refuses to record any more, as if it were restarting, until `accept`. */
async function refuseSettlements(url: string, after: number): Promise<RefusingDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  ended.push(() => client.end())
  // A sequence keeps its count when the statement fails.
  await client.query(`
    CREATE SEQUENCE settlements;
    CREATE SEQUENCE refusals;
    CREATE FUNCTION not_now() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('settlements') > ${after} THEN
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
    beingSent: () => count(`SELECT count(*) FROM deliveries WHERE state = 'committed'`),
    begun: () => count(`SELECT count(*) FROM deliveries WHERE state IN ('sent', 'committed')`),
    accept: async () => void (await client.query('DROP FUNCTION not_now CASCADE')),
  }
}

it(
  'sends no mail again whose server had answered when the process was killed, though the database knew of none',
  { timeout: 240_000 },
  async () => {
    const fresh = await freshDatabase()
    ended.push(fresh.drop)
    const database = await refuseSettlements(fresh.url, MAILS / 2)
    const run = await prepareBulkRun(MAILS, { DATABASE_URL: fresh.url })
    ended.push(run.end)
    run.begin()
    // While one write is retried the connections stand still, each with an accepted mail.
    await expect.poll(database.refusals, { timeout: 60_000 }).toBeGreaterThan(1)
    const standsStill = async () =>
      (await run.sink.count()) === (await database.begun()) && (await database.beingSent()) > CONNECTIONS / 2
    await expect.poll(standsStill, { timeout: 60_000 }).toBe(true)
    await answersRead(run)
    await run.howl.kill()
    await database.accept()
    await run.restart()
    await untilDone(run)
    expect(await arrivals(run.sink)).toEqual({ mails: MAILS, duplicates: 0 })
    expect(await run.summary()).toMatchObject({ sent: MAILS, errors: 0, pending: 0 })
  },
)

/** Howl reads in order: when it has answered a few more calls, it has read what the sink had sent before. */
async function answersRead(run: BulkRun): Promise<void> {
  for (let call = 0; call < 3; call++) await run.summary()
}
