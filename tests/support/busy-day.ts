import type { Howl } from './e2e.ts'
import { withClient } from './sql.ts'

/**
 * The data of a busy user: mails, 300 contacts, 50 tasks and 20 meetings, around now. Ten thousand mails keep the workers at
 * it for seconds, to make them searchable: fewer do where their number is not the point.
 */
export async function makeBusy(
  { databaseUrl }: Pick<Howl, 'databaseUrl'>,
  userId: number,
  { mails = 10_000 } = {},
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (const statement of STATEMENTS)
      await client.query(statement.replace('MAILS', String(mails)), [userId])
  })
}

const NAMES = `ARRAY['Anna Berg', 'Ben Ott', 'Cleo Roth', 'Dan Vogt', 'Eva Lind', 'Finn Holm', 'Greta Falk', 'Hugo Stern']`
const SUBJECTS = `ARRAY['Bread for the summer party', 'Your offer of Monday', 'Invoice 2041', 'When can we talk?', 'New opening hours']`

// The browser uses the machine's clock, so no test clock is set here.
const STATEMENTS = [
  `INSERT INTO contacts (user_id, name, email, email_key, company, created_at, updated_at)
   SELECT $1, (${NAMES})[1 + n % 8] || ' ' || n, 'person' || n || '@far.example', 'person' || n || '@far.example',
     'Company ' || n, now() - n * interval '1 hour', now() FROM generate_series(1, 300) AS n`,
  `WITH mails AS (
     INSERT INTO emails (user_id, thread_id, direction, folder, message_id, from_name, from_address, to_line, correspondent_key,
       subject, snippet, collapse_key, is_read, intent, occurred_at, created_at)
     SELECT $1, n, CASE WHEN n % 5 < 2 THEN 'out' ELSE 'in' END, CASE WHEN n % 5 < 2 THEN 'sent' ELSE 'inbox' END,
       'busy-' || n || '@far.example', (${NAMES})[1 + n % 8], 'person' || n % 300 || '@far.example', 'person' || n % 300 || '@far.example',
       'person' || n % 300 || '@far.example', (${SUBJECTS})[1 + n % 5] || ' ' || n, 'Good day', 'busy ' || n, n % 5 < 2 OR n > 60,
       CASE WHEN n % 5 = 2 AND n < 60 THEN 'question' END, now() - n * interval '12 minutes', now()
     FROM generate_series(1, MAILS) AS n RETURNING id
   ) INSERT INTO email_bodies (user_id, email_id, text) SELECT $1, id, 'Good day' FROM mails`,
  `INSERT INTO mail_activity (user_id, at, source, sent, replies)
   SELECT $1, date_bin('1 hour', at, 'epoch'), 'left',
     ARRAY[(n * 7919 % 23) * CASE WHEN extract(isodow FROM at) > 5 THEN 0 ELSE 1 + (n / 60) % 3 END, 0, 0, 0],
     ARRAY[(n * n % 11) / 9, 0, 0, 0]
   FROM (SELECT n, now() - n * interval '2 hours 10 minutes' AS at FROM generate_series(1, 950) AS n) AS hours`,
  `INSERT INTO todos (user_id, title, priority, due_date, completed, created_at, updated_at)
   SELECT $1, (${SUBJECTS})[1 + n % 5] || ': task ' || n, (ARRAY['low', 'medium', 'high'])[1 + n % 3],
     CASE WHEN n % 3 = 0 THEN NULL ELSE to_char(now() + (n - 6) * interval '1 day', 'YYYY-MM-DD') END, n % 4 = 0, now(), now()
   FROM generate_series(1, 50) AS n`,
  `INSERT INTO meetings (user_id, title, start_time, end_time, type, location, meeting_link, created_at)
   SELECT $1, (ARRAY['Tasting at the bakery', 'Weekly call', 'Contract with Ott Gardens'])[1 + n % 3] || ' ' || n,
     now() + (n - 11) * interval '17 hours 20 minutes' + interval '25 minutes',
     now() + (n - 11) * interval '17 hours 20 minutes' + interval '55 minutes',
     (ARRAY['in-person', 'video', 'phone'])[1 + n % 3], CASE WHEN n % 3 = 0 THEN 'Main Street 1, Berlin' ELSE '' END, '', now()
   FROM generate_series(1, 20) AS n`,
]
