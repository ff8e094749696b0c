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
  let answered = 0
  const answer = async () => {
    const hurried = await client.query(
      `UPDATE practice_answers SET due_at = now() WHERE user_id = $1 AND due_at > now()`,
      [user.id],
    )
    return (answered += hurried.rowCount ?? 0)
  }
  try {
    await expect.poll(answer).toBeGreaterThanOrEqual(people)
  } finally {
    await client.end()
  }
}
