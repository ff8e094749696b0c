import { admin } from '#contract/operations/admin.ts'
import { bans } from '#contract/operations/bans.ts'
import { CONTRACT } from '#contract/contract.ts'
import { signUp } from '../tests/support/factories.ts'
import { adminTokenOf } from '../tests/support/administrators.ts'
import { compared } from './lists.ts'
import type { Benchmark, Figure } from './parts/figure.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import { quantilesOf, settleTables, timesOf } from './parts/lists.ts'

const FEW = 100
const MANY = 10_000
const TABLES = [
  'users',
  'sessions',
  'activities',
  'departure_feedback',
  'mail_activity',
  'house_days',
  'credit_entries',
  'abuse_patterns',
  'bans',
  'admin_notifications',
]
const TIMES = 150
/** Asking for it writes a row, so its own speed is that of writing. */
const LEFT_OUT = new Set(['adminAuth.me'])

/** What the tabs ask, beside each call with nothing more than it needs: so many users are listed, some of them deleted. */
function askedOf(users: number): Record<string, string> {
  const list = `${admin.users.path}?limit=20`
  const feedback = '/admin/feedback-details?limit=50'
  return {
    ...Object.fromEntries(
      [...CONTRACT]
        .filter(
          ([name, { access, method, path, query, download }]) =>
            access === 'admin' &&
            method === 'GET' &&
            !path.includes(':') &&
            download === undefined &&
            (query === undefined || query.safeParse({}).success) &&
            !LEFT_OUT.has(name),
        )
        .map(([, { path }]) => [path, path]),
    ),
    'users with deleted ones': `${list}&include_deleted=true`,
    'last page of users': `${list}&include_deleted=true&page=${users / 20}`,
    'users, one found': `${list}&search=user57`,
    'users, found by two words': `${list}&search=person+57`,
    'a user to ban, found': `${bans.findUsers.path}?search=user57`,
    'deleted users': `${list}&status=deleted`,
    'analytics, 90 days': '/admin/analytics?days=90',
    'analytics, 365 days': '/admin/analytics?days=365',
    'feedback of a reason': `${feedback}&category=support`,
    'feedback, low ratings': `${feedback}&max_rating=2`,
    'feedback by rating': `${feedback}&sort=feedback_rating`,
    'feedback by name': `${feedback}&sort=full_name`,
    'feedback, last page': `${feedback}&page=${Math.max(1, Math.floor(users / 5 / 50))}`,
    'activities of one user': '/admin/users/activities?limit=50&search=user57@admin.example',
    'risky activities': '/admin/users/activities?limit=50&min_risk=50',
  }
}

/** What administrators see of ten thousand users, against a hundred, in one database that grows. */
export const adminBench: Benchmark = {
  name: 'admin',
  measure: async () => {
    const howl = await startHowl()
    try {
      const user = await signUp(howl.url)
      await howl.sql('UPDATE users SET is_admin = true WHERE id = $1', [user.id])
      const boss = { ...user, token: await adminTokenOf(howl, user) }
      const asked = (users: number) =>
        Object.fromEntries(Object.entries(askedOf(users)).map(([name, path]) => [name, { user: boss, path }]))
      await fillUsers(howl, 1, FEW)
      await settleTables(howl, TABLES)
      const few = await timesOf(howl, asked(FEW), TIMES)
      await fillUsers(howl, FEW + 1, MANY)
      await settleTables(howl, TABLES)
      const many = await timesOf(howl, asked(MANY), TIMES)
      tellHalves(few, many)
      const [base, own] = [quantilesOf(few, 0.95), quantilesOf(many, 0.95)]
      return Object.keys(askedOf(FEW)).map((name): Figure => figureOf(name, base[name], own[name]))
    } finally {
      await howl.end()
    }
  },
}

/** Half of the calls are faster than this: on a busy machine it tells more. */
function tellHalves(few: Record<string, number[]>, many: Record<string, number[]>): void {
  const [base, own] = [quantilesOf(few, 0.5), quantilesOf(many, 0.5)]
  console.log('  milliseconds for 100 and 10,000 users, half of the calls')
  for (const name of Object.keys(base))
    console.log(`  ${name.padEnd(28)} ${base[name]?.toFixed(1)} and ${own[name]?.toFixed(1)}`)
}

/** Of a few milliseconds five more are allowed: nobody notices them. */
function figureOf(name: string, base = Number.NaN, own = Number.NaN): Figure {
  const title = `administrators, ${name}, 10,000 users against 100`
  return compared(title, base, own, Number(Math.max(1.5, (base + 5) / base).toFixed(2)))
}

/**
 * Users who came over a year; one in five has left and said why. Each has been there on several days, has sent mail in thirty
 * hours of the last three months, and has twenty rows in the activity log.
 */
async function fillUsers(howl: BenchHowl, from: number, to: number): Promise<void> {
  const span = [from, to]
  await howl.sql(
    `INSERT INTO users (email, email_key, username, username_key, password_hash, name, company_name, pricing_tier, created_at, deleted_at)
     SELECT k || '@admin.example', k || '@admin.example', k, k, '-', 'Person ' || n, 'Company ' || n % 500,
       (ARRAY['free', 'free', 'free', 'starter', 'professional'])[1 + n % 5], now() - (n * 37 % 365) * interval '1 day' - n * interval '1 second',
       CASE WHEN n % 5 = 0 THEN now() - (n % 30) * interval '23 hours' END
     FROM generate_series($1::int, $2::int) n, LATERAL (SELECT 'user' || n AS k) key`,
    span,
  )
  const those = `FROM users u, LATERAL (SELECT substr(username, 5)::int AS n) each_one
    WHERE u.email LIKE '%@admin.example' AND n BETWEEN $1 AND $2`
  await howl.sql(
    `INSERT INTO departure_feedback (user_id, category, custom_category, rating, details, improvements, competitor,
       contact_consent, contact_method, pricing_tier, account_age_days, given_at, deleted_at)
     SELECT u.id, (ARRAY['pricing', 'features', 'support', 'usability', 'performance'])[1 + n / 5 % 5], '', 1 + n / 5 % 5,
       repeat('It did not do what I need. ', 1 + n % 40), repeat('More of it. ', n % 20), '', n % 2 = 0, NULL, u.pricing_tier,
       n % 365, u.deleted_at, u.deleted_at ${those} AND u.deleted_at IS NOT NULL`,
    span,
  )
  await howl.sql(
    `INSERT INTO sessions (user_id, id, created_at, last_seen_at, expires_at, ip, user_agent)
     SELECT u.id, gen_random_uuid(), at, at, at + interval '14 days', '192.0.2.1', 'Browser'
     FROM users u, LATERAL (SELECT substr(username, 5)::int AS n) each_one, generate_series(1, 6) AS day,
       LATERAL (SELECT now() - (n * day % 90) * interval '1 day' - (n * 7 % 48) * interval '30 minutes' AS at) times
     WHERE u.email LIKE '%@admin.example' AND n BETWEEN $1 AND $2 ORDER BY at`,
    span,
  )
  await howl.sql(
    `INSERT INTO mail_activity (user_id, at, source, sent)
     SELECT u.id, date_bin('1 hour', now(), 'epoch') - (n * 7 + hour * 71) % 2160 * interval '1 hour', 'left', '{1,2,3,4}'
     FROM users u, LATERAL (SELECT substr(username, 5)::int AS n) each_one, generate_series(1, 30) AS hour
     WHERE u.email LIKE '%@admin.example' AND n BETWEEN $1 AND $2 ON CONFLICT DO NOTHING`,
    span,
  )
  // Below 0 they are not in the chain: nobody checks it here.
  await howl.sql(
    `INSERT INTO activities (user_id, activity_type, description, risk_score, ip_address, created_at, salt, person_digest, seal, position, link)
     SELECT u.id, (ARRAY['log_in', 'log_in_failed', 'profile_changed', 'run_started'])[1 + row % 4], 'Something ' || row,
       CASE WHEN (n + row) % 50 = 0 THEN 60 ELSE row % 20 END, '192.0.2.' || n % 250,
       date_trunc('milliseconds', now() - (n * 13 + row * 1009) % 130000 * interval '1 minute'), '', '', '', -(n * 20 + row), ''
     FROM users u, LATERAL (SELECT substr(username, 5)::int AS n) each_one, generate_series(1, 20) AS row
     WHERE u.email LIKE '%@admin.example' AND n BETWEEN $1 AND $2`,
    span,
  )
  await howl.sql(
    `INSERT INTO credit_entries (user_id, kind, amount, reason, created_at, expires_at)
     SELECT u.id, 'earned', 50, 'Given by an administrator', now(), now() + interval '1 year' ${those} AND n % 3 = 0`,
    span,
  )
  await howl.sql(
    `INSERT INTO abuse_patterns (user_id, pattern_type, severity, occurrences, first_detected, last_detected, score, description)
     SELECT u.id, (ARRAY['same_words', 'call_burst', 'farmed_credits'])[1 + n / 10 % 3], 1 + n / 10 % 5, 1 + n % 7,
       now() - (n * 11 % 90) * interval '1 day', now() - (n * 11 % 90) * interval '1 day', n % 100,
       'What was seen of user ' || n ${those} AND n % 10 = 0`,
    span,
  )
  await howl.sql(
    `INSERT INTO bans (user_id, reason, description, status, by_rules, banned_at, expires_at, ended_at)
     SELECT u.id, 'spam', 'Many strangers were mailed', 'expired', true, now() - interval '9 days',
       now() - interval '2 days', now() - interval '2 days' ${those} AND n % 20 = 0`,
    span,
  )
  await howl.sql(
    `INSERT INTO admin_notifications (user_id, topic, title, message, priority, created_at, read_at)
     SELECT u.id, 'risk ' || u.id, 'High risk', 'User ' || n, 1 + n % 5, now() - n * interval '1 minute',
       CASE WHEN n % 40 = 0 THEN now() END ${those} AND n % 20 = 0`,
    span,
  )
}
