import Fastify from 'fastify'
import pg from 'pg'

// The bare baseline of serving: Fastify, a pool and one prepared read of twenty rows; no sessions, no schemas.

export type FastifyOrder = { databaseUrl: string; userId: number }

const { databaseUrl, userId } = JSON.parse(process.argv[2] ?? '{}') as FastifyOrder
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 })
const app = Fastify()
const read = {
  name: 'contacts',
  text: 'SELECT * FROM contacts WHERE user_id = $1 ORDER BY id DESC LIMIT 20',
  values: [userId],
}
app.get('/contacts', async () => (await pool.query(read)).rows)

const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ url })
