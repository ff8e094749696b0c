import { expect, type Howl } from './e2e.ts'
import { sql } from './sql.ts'

/** Lets so many invented people answer now, and not some seconds after the mail to them. */
export async function letPeopleAnswer(
  { databaseUrl }: Pick<Howl, 'databaseUrl'>,
  user: { id: number },
  people: number,
): Promise<void> {
  const answers = async () => {
    // Some may have arrived before.
    const [row] = await sql<{ answers: number }>(
      databaseUrl,
      `SELECT (SELECT count(*) FROM practice_answers WHERE user_id = $1)::int
        + (SELECT count(*) FROM emails WHERE user_id = $1 AND direction = 'in')::int AS answers`,
      [user.id],
    )
    return row?.answers ?? 0
  }
  await expect.poll(answers).toBeGreaterThanOrEqual(people)
  await sql(databaseUrl, 'UPDATE practice_answers SET due_at = now() WHERE user_id = $1 AND due_at > now()', [
    user.id,
  ])
}
