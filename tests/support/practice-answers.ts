import { Client } from 'pg'
import { expect, type Howl } from './e2e.ts'

/** Lets so many invented people answer now, and not some seconds after the mail to them. */
export async function letPeopleAnswer(
  { databaseUrl }: Pick<Howl, 'databaseUrl'>,
  user: { id: number },
  people: number,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const hurry = () =>
    client.query('UPDATE practice_answers SET due_at = now() WHERE user_id = $1 AND due_at > now()', [
      user.id,
    ])
  const answers = async () => {
    // Some may have arrived before.
    const { rows } = await client.query<{ answers: number }>(
      `SELECT (SELECT count(*) FROM practice_answers WHERE user_id = $1)::int
        + (SELECT count(*) FROM emails WHERE user_id = $1 AND direction = 'in')::int AS answers`,
      [user.id],
    )
    return rows[0]?.answers ?? 0
  }
  try {
    await expect.poll(answers).toBeGreaterThanOrEqual(people)
    await hurry()
  } finally {
    await client.end()
  }
}
