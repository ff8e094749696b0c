import { copyLine } from '#server/platform/database/copy-line.ts'
import { withCopyConnection } from '#server/platform/database/copy.ts'
import { connect } from '#server/platform/database/connect.ts'
import { searchVector } from '#server/formats/mail-text/search-index.ts'
import type { TestUser } from '../../tests/support/factories.ts'
import type { BenchHowl } from './howl.ts'

const VOCABULARY = 20_000
const WORDS_EACH = 24
const ROWS_A_WRITE = 500

/**
 * Fills a user's inbox with invented mails, a minute apart, newest first: "offer" is in every second of them, a zeppelin
 * in one of 2,000, "harbour lights" in one of 1,000; one in 50 has a file, one in ten is unread, one in three shares sender
 * and subject with others. Rows by the million are written past the triggers, and their counts added up afterwards.
 */
export async function fillInbox(howl: BenchHowl, user: TestUser, rows: number): Promise<void> {
  const { db, close } = connect(howl.databaseUrl, () => {})
  const first = await nextId(howl)
  const never = new AbortController().signal
  try {
    await withCopyConnection(db, never, async (connection) => {
      await connection.query(`SET LOCAL session_replication_role = replica`)
      await connection.query(`SET LOCAL maintenance_work_mem = '512MB'`)
      await connection.query(EMAILS, [user.id, rows, first])
      await connection.query(BODIES, [user.id, first])
      await connection.query(`DROP INDEX email_search_words`)
      const target = connection.copyInto('email_search (user_id, email_id, occurred_at, words)')
      for (let n = 1; n <= rows; n += ROWS_A_WRITE) {
        let lines = ''
        for (let at = n; at < n + ROWS_A_WRITE && at <= rows; at++) lines += wordsLine(user.id, first, at)
        await target.write(lines)
      }
      await target.end()
      await connection.query(
        `CREATE INDEX email_search_words ON email_search USING gin (words) WITH (gin_pending_list_limit = 131072)`,
      )
      for (const recount of RECOUNTS) await connection.query(recount, [user.id])
      await connection.query(`SELECT setval('emails_id_seq', $1)`, [first + rows])
    })
  } finally {
    await close()
  }
}

async function nextId(howl: BenchHowl): Promise<number> {
  const [row] = await howl.sql<{ id: string }>(`SELECT nextval('emails_id_seq') AS id`)
  return Number(row?.id)
}

// The text of a mail is made by its number, here and in SQL by the same rule for what a list shows of it.
const EMAILS = `
  INSERT INTO emails (user_id, id, direction, folder, message_id, thread_id, from_name, from_address, to_line,
    correspondent_key, subject, snippet, collapse_key, is_read, is_starred, attachment_names, occurred_at, created_at)
  SELECT $1, $3::bigint + n, 'in', 'inbox', n || '@many.example', $3::bigint + n, 'Person ' || n % 500,
    'person' || n % 500 || '@many.example', 'Ada Muster <ada@muster.example>', 'person' || n % 500 || '@many.example',
    'The order of the week ' || n, 'Thank you for your mail of last week, number ' || n,
    md5(CASE WHEN n % 3 = 0 THEN (n % 3000)::text ELSE n || '.' END), n % 10 > 0, n % 100 = 0,
    CASE WHEN n % 50 = 0 THEN ARRAY['order.pdf'] ELSE '{}' END, timestamptz '2026-01-01' - n * interval '1 minute', '2026-01-01'
  FROM generate_series(1, $2::int) n`
const BODIES = `INSERT INTO email_bodies (user_id, email_id, text) SELECT user_id, id, snippet FROM emails WHERE user_id = $1 AND id > $2`

const NEW_YEAR = Date.UTC(2026, 0, 1)

function wordsLine(userId: number, first: number, n: number): string {
  const vector = searchVector(userId, {
    fromName: `Person ${n % 500}`,
    fromAddress: `person${n % 500}@many.example`,
    to: 'Ada Muster <ada@muster.example>',
    subject: `The order of the week ${n}`,
    text: textOf(n),
  })
  return copyLine([userId, first + n, new Date(NEW_YEAR - n * 60_000).toISOString(), vector])
}

function textOf(n: number): string {
  const words = Array.from({ length: WORDS_EACH }, (_, at) => invented(n * 31 + at))
  if (n % 2 === 0) words.push('offer')
  if (n % 2000 === 7) words.push('zeppelin')
  if (n % 1000 === 9) words.push('harbour', 'lights')
  if (n % 250 === 11) words.push('lights', 'harbour')
  return words.join(' ')
}

const SYLLABLES = 'ba de fi go hu ka le mi no pu ra se ti vo zu lin mar ton ber sol'.split(' ')

/** A word of the vocabulary; the first of it are used far more often than the last. */
function invented(seed: number): string {
  const random = ((Math.imul(seed, 2_654_435_761) >>> 0) % 1_000_003) / 1_000_003
  let word = ''
  for (let rest = Math.floor(VOCABULARY * random ** 3) + 20; rest > 0; rest = Math.floor(rest / 20))
    word += SYLLABLES[rest % 20] ?? ''
  return word
}

const RECOUNTS = [
  `INSERT INTO inbox_groups (user_id, collapse_key, newest_at, newest_id, mails, unread)
   SELECT user_id, collapse_key, max(occurred_at), (array_agg(id ORDER BY occurred_at DESC, id DESC))[1], count(*),
     count(*) FILTER (WHERE NOT is_read) FROM emails WHERE user_id = $1 GROUP BY 1, 2`,
  `INSERT INTO email_counts (user_id, folder, total, unread, starred, with_files, received, shown)
   SELECT user_id, folder, count(*), count(*) FILTER (WHERE NOT is_read), count(*) FILTER (WHERE is_starred),
     count(*) FILTER (WHERE attachment_names <> '{}'), count(*), (SELECT count(*) FROM inbox_groups WHERE user_id = $1)
   FROM emails WHERE user_id = $1 GROUP BY 1, 2`,
]
