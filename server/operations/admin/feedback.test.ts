import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminFeedback, FEEDBACK_SORTS, type FeedbackRow } from '#contract/operations/admin-feedback.ts'
import type { QueryInput } from '#contract/platform/endpoint.ts'
import { leaving, type Reason, REASONS } from '#contract/operations/leaving.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { purgeAccounts } from '#server/operations/leaving/purge-accounts.ts'
import {
  adminTokenOf,
  anAdministrator,
  type TestAdministrator,
} from '../../../tests/support/administrators.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

const DAY_MS = 86_400_000
const ROWS = 130

let app: TestApp
let boss: TestAdministrator

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  boss = await anAdministrator(app)
})
afterAll(() => app.end())

type Query = Partial<NonNullable<QueryInput<typeof adminFeedback.details>>>
const details = (query: Query = {}) => call(app.url, adminFeedback.details, { token: boss.adminToken, query })
const analytics = async () => (await call(app.url, adminFeedback.analytics, { token: boss.adminToken })).body

describe('without any feedback', () => {
  it('the list has one empty page, and nothing is made up', async () => {
    expect((await details()).body).toEqual({ feedback_data: [], total: 0, total_pages: 1 })
    expect(await analytics()).toEqual({
      category_analysis: [],
      rating_distribution: [1, 2, 3, 4, 5].map((rating) => ({ rating, count: 0 })),
      contact_consent_analysis: [
        { consent: true, count: 0 },
        { consent: false, count: 0 },
      ],
    })
  })
})

describe('the list of feedback', () => {
  const all: FeedbackRow[] = []

  beforeAll(async () => {
    await runSql(
      app.context.db,
      `WITH gone AS (
         INSERT INTO users (email, email_key, username, username_key, password_hash, name, company_name, created_at, deleted_at)
         SELECT k, k, k, k, '-', (ARRAY['bert', 'Ada', 'Cleo', 'Ömer'])[1 + n % 4] || ' ' || n,
           CASE WHEN n % 3 > 0 THEN 'Company ' || n % 7 ELSE '' END, now() - n * interval '9 days', now() - n * interval '1 hour'
         FROM generate_series(1, ${ROWS}) n, LATERAL (SELECT 'left' || n || '@howl.example' AS k) key RETURNING id, email
       )
       INSERT INTO departure_feedback (user_id, category, custom_category, rating, details, improvements, competitor,
         contact_consent, contact_method, pricing_tier, account_age_days, given_at, deleted_at)
       SELECT id, (ARRAY['pricing', 'features', 'support', 'other'])[1 + n % 4], CASE WHEN n % 4 = 3 THEN 'Moved' ELSE '' END,
         1 + n % 5, 'Details ' || n, '', '', n % 2 = 0, CASE WHEN n % 2 = 0 THEN 'email' END,
         (ARRAY['free', 'starter'])[1 + n % 2], n * 9, now() - n * interval '1 hour',
         CASE WHEN n % 10 > 0 THEN now() - n * interval '1 hour' END
       FROM gone, LATERAL (SELECT substring(email, '\\d+')::int AS n) each_one`,
    )
    for (let page = 1; page <= 3; page += 1) all.push(...(await details({ page })).body.feedback_data)
  })

  it('has pages of 50, the newest first, each row once', async () => {
    const { body } = await details()
    expect([body.total, body.total_pages, body.feedback_data.length]).toEqual([ROWS, 3, 50])
    expect(body.feedback_data.map(({ given_at: at }) => at)).toEqual(
      body.feedback_data
        .map(({ given_at: at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect(new Set(all.map(({ id }) => id)).size).toBe(ROWS)
    expect((await details({ page: 4 })).body.feedback_data).toEqual([])
    expect((await details({ limit: 500 })).body).toMatchObject({ total_pages: 1 })
    expect((await details({ limit: 501 })).status).toBe(400)
    expect(all[0]).toEqual({
      id: expect.any(Number),
      email: 'left1@howl.example',
      full_name: 'Ada 1',
      company_name: 'Company 1',
      pricing_tier: 'starter',
      deleted_at: expect.any(String),
      feedback_category: 'features',
      feedback_custom_category: '',
      feedback_rating: 2,
      feedback_details: 'Details 1',
      improvements_suggested: '',
      competitor_switched_to: '',
      contact_consent: false,
      contact_method: null,
      account_age_days: 9,
      given_at: expect.any(String),
    })
  })

  it.each([
    [{ category: 'support' }, (row: FeedbackRow) => row.feedback_category === 'support'],
    [{ min_rating: 4 }, (row: FeedbackRow) => row.feedback_rating >= 4],
    [{ max_rating: 2 }, (row: FeedbackRow) => row.feedback_rating <= 2],
    [{ min_rating: 3, max_rating: 3 }, (row: FeedbackRow) => row.feedback_rating === 3],
    [
      { category: 'other', min_rating: 2, max_rating: 4 },
      (row: FeedbackRow) =>
        row.feedback_category === 'other' && row.feedback_rating >= 2 && row.feedback_rating <= 4,
    ],
    [{ category: 'usability' }, () => false],
  ] as const)('finds by %o what was answered so', async (query, matches) => {
    const { body } = await details({ ...query, limit: 500 })
    expect(body.feedback_data).toEqual(all.filter(matches))
    expect(body.total).toBe(all.filter(matches).length)
  })

  it.each(FEEDBACK_SORTS.filter((sort) => sort !== 'newest'))(
    'is ordered by %s over all pages',
    async (sort) => {
      const rows: FeedbackRow[] = []
      for (let page = 1; page <= 3; page += 1)
        rows.push(...(await details({ sort, page })).body.feedback_data)
      expect(new Set(rows.map(({ id }) => id)).size).toBe(ROWS)
      const column = sort.replace(/^-/, '') as keyof FeedbackRow
      const keys = rows.map((row) => keyOf(row[column]))
      const known = keys.filter((key) => key !== null)
      expect(known).toEqual(known.toSorted(ascending))
      // Nobody comes last either way.
      expect(keys.slice(known.length).every((key) => key === null)).toBe(true)
      function ascending(one: string | number, other: string | number) {
        const order = one < other ? -1 : one > other ? 1 : 0
        return sort.startsWith('-') ? -order : order
      }
    },
  )

  it('says what is wrong with a filter', async () => {
    expect(await details({ min_rating: 4, max_rating: 3 })).toMatchObject({
      status: 400,
      error: { fields: { min_rating: 'The lowest rating must not be above the highest.' } },
    })
    for (const query of [{ min_rating: 0 }, { max_rating: 6 }, { page: 0 }, { limit: 0 }])
      expect((await details(query)).status).toBe(400)
    expect((await details({ category: 'weather' as Reason })).status).toBe(400)
    expect((await details({ sort: 'details' as 'id' })).status).toBe(400)
  })

  it('is counted by reason, rating and consent', async () => {
    const countOf = (holds: (row: FeedbackRow) => boolean) => all.filter(holds).length
    const found = await analytics()
    expect(found.rating_distribution).toEqual(
      [1, 2, 3, 4, 5].map((rating) => ({ rating, count: countOf((row) => row.feedback_rating === rating) })),
    )
    expect(found.contact_consent_analysis).toEqual(
      [true, false].map((consent) => ({ consent, count: countOf((row) => row.contact_consent === consent) })),
    )
    const reasons = REASONS.map((category) => ({
      category,
      count: countOf((row) => row.feedback_category === category),
    })).filter(({ count }) => count > 0)
    expect(found.category_analysis).toHaveLength(reasons.length)
    expect(found.category_analysis).toEqual(expect.arrayContaining(reasons))
    const counts = found.category_analysis.map(({ count }) => count)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  })
})

describe('the feedback of a removed account', () => {
  it('stays without name and address', async () => {
    const user = await signUp(app.url, { name: 'Gerda Gone' })
    await call(app.url, leaving.giveFeedback, {
      token: user.token,
      body: {
        category: 'other',
        custom_category: 'Gerda retires',
        rating: 5,
        details: `Write to ${user.email}`,
        contact_consent: true,
        contact_method: 'phone',
      },
    })
    await call(app.url, leaving.deleteAccount, { token: user.token })
    const [before] = (await details()).body.feedback_data
    expect(before).toMatchObject({ email: user.email, full_name: 'Gerda Gone', contact_method: 'phone' })
    app.clock.forward(31 * DAY_MS)
    await purgeAccounts(app.context)
    boss = { ...boss, adminToken: await adminTokenOf(app, boss) }
    const [after] = (await details()).body.feedback_data
    expect(after).toMatchObject({
      id: before?.id,
      email: null,
      full_name: null,
      company_name: null,
      feedback_rating: 5,
      deleted_at: before?.deleted_at,
      feedback_details: 'Write to [removed]',
      feedback_custom_category: '[removed] retires',
    })
  })
})

/** What a value is ordered by, and null for none. */
function keyOf(value: FeedbackRow[keyof FeedbackRow]): string | number | null {
  if (value === null || value === '') return null
  return typeof value === 'boolean' ? Number(value) : typeof value === 'string' ? value.toLowerCase() : value
}
