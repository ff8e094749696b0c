import { signUp } from '../tests/support/factories.ts'
import { type Benchmark, duration } from './parts/figure.ts'
import { startHowl } from './parts/howl.ts'
import { fillContacts, p95Of, settleTables } from './parts/lists.ts'

const FEW = 10
const MANY = 10_000
const ROWS_EACH = 200

/** One user's list when ten thousand others have theirs in the same tables, against ten others. */
export const tenants: Benchmark = {
  name: 'tenants',
  measure: async () => {
    const howl = await startHowl()
    try {
      const user = await signUp(howl.url)
      await fillContacts(howl, user, 1000)
      const asked = { list: { user, path: '/contacts/?page_size=20' } }
      const grow = async (from: number, to: number) => {
        await howl.sql(
          `INSERT INTO users (email, email_key, username, username_key, password_hash, name, created_at)
           SELECT 't' || n || '@t.example', 't' || n || '@t.example', 't' || n, 't' || n, '-', 'T', now()
           FROM generate_series($1::int, $2::int) n`,
          [from, to],
        )
        await howl.sql(
          `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
           SELECT u.id, 'Person ' || n, 'p' || n || '@t.example', 'p' || n || '@t.example', now(), now()
           FROM users u, generate_series(1, $3::int) n
           WHERE u.password_hash = '-' AND substr(u.username, 2)::int BETWEEN $1 AND $2`,
          [from, to, ROWS_EACH],
        )
        await settleTables(howl)
      }
      await grow(1, FEW)
      const few = await p95Of(howl, asked, 300)
      await grow(FEW + 1, MANY)
      const many = await p95Of(howl, asked, 300)
      const [base = Number.NaN, own = Number.NaN] = [few['list'], many['list']]
      return [
        {
          name: '10,000 tenants against 10, list p95',
          baseline: duration(base),
          howl: duration(own),
          ratio: own / base,
          reach: { atMost: 1.2 },
        },
      ]
    } finally {
      await howl.end()
    }
  },
}
