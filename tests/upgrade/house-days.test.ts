import pg from 'pg'
import { expect, test } from 'vitest'
import { connect } from '#server/platform/database/connect.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { emptyDatabase } from '../support/database.ts'

test('the figures of past days stay when they are counted by the day in UTC', async () => {
  const database = await emptyDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { db, close } = connect(database.url, () => {})
  const session = `INSERT INTO sessions (user_id, id, created_at, last_seen_at, expires_at, ip, user_agent)
    SELECT id, gen_random_uuid(), $2, $2, '2027-01-01', '', '' FROM users WHERE email = $1`
  try {
    await migrate(db, '0102-draft-versions')
    await client.query(`INSERT INTO users (email, email_key, username, username_key, password_hash, name, created_at, deleted_at)
      SELECT k, k, k, k, '-', 'Ann', opened, deleted FROM (VALUES ('ann', timestamptz '2026-05-01 23:50Z', NULL::timestamptz),
        ('bob', '2026-05-02 00:10Z', NULL), ('cy', '2026-05-02 12:00Z', '2026-05-03 23:59Z')) v (k, opened, deleted)`)
    await client.query(`INSERT INTO mail_activity (user_id, at, source, sent) SELECT id, at, 'left', '{1,2,3,4}'
      FROM users, (VALUES (timestamptz '2026-05-01 23:00Z'), ('2026-05-02 00:00Z')) v (at) WHERE email <> 'bob'`)
    for (const [who, at] of [
      ['ann', '2026-05-01T23:59:00Z'],
      ['ann', '2026-05-02T00:01:00Z'],
      ['ann', '2026-05-02T17:00:00Z'],
      ['bob', '2026-05-02T05:30:00Z'],
      ['bob', '2026-05-04T09:00:00Z'],
    ])
      await client.query(session, [who, at])

    await migrate(db)
    // Seen on this day already, and for the first time.
    await client.query(session, ['bob', '2026-05-04T10:00:00Z'])
    await client.query(session, ['ann', '2026-05-04T10:00:00Z'])
    const { rows } = await client.query(
      `SELECT to_char(day AT TIME ZONE 'UTC', 'MM-DD HH24:MI') AS day, sum(opened)::int AS opened, sum(deleted)::int AS deleted,
         sum(sent)::int AS sent, sum(seen)::int AS seen FROM house_days GROUP BY 1 ORDER BY 1`,
    )
    expect(rows).toEqual([
      { day: '05-01 00:00', opened: 1, deleted: 0, sent: 20, seen: 1 },
      { day: '05-02 00:00', opened: 2, deleted: 0, sent: 20, seen: 2 },
      { day: '05-03 00:00', opened: 0, deleted: 1, sent: 0, seen: 0 },
      { day: '05-04 00:00', opened: 0, deleted: 0, sent: 0, seen: 2 },
    ])
  } finally {
    await client.end()
    await close()
    await database.drop()
  }
})
