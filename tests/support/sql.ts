import pg from 'pg'

/** A database connection for this work alone, closed whatever comes of it. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // A server that stops between two statements must not end the process: the next statement says so.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** One statement on a connection of its own. Returns its rows. */
export const sql = <R extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> => withClient(url, async (client) => (await client.query<R>(text, [...values])).rows)
