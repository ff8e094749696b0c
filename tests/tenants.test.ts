import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from './support/client.ts'
import {
  BODIES,
  BODIES_FOR,
  FIXTURES,
  type Place,
  SHOW_THE_MARK,
  acting,
  answersTo,
  asking,
  calls,
  dump,
  places,
  reading,
} from './support/tenant-calls.ts'
import {
  type Answered,
  FILE,
  IMAGE,
  type Named,
  type Tenant,
  aNewcomer,
  aTenant,
  ask,
  endRuns,
  endingRuns,
  withoutTwoStep,
} from './support/tenant-rows.ts'
import { oauthEnvironment, type OauthIssuer, startOauthIssuer } from './support/oauth-issuer.ts'
import { movableClock, startTestApp, type TestApp } from './support/test-app.ts'
import { setPlan } from './support/plans.ts'
import { withMailSent } from './support/system-mail.ts'

// No tenant sees or changes anything of another. The sweep is derived from the contract, so it includes a new call
// automatically. A call that names a row or takes a body fails here if it has no line in tenant-calls.ts.
//
// Ada and Bob have the same people, addresses, subjects and Message-IDs. Texts that only one of them wrote carry that
// user's mark. No worker runs, so rows do not change by themselves: a difference after a call was made by that call.

const clock = movableClock()
let issuer: OauthIssuer
let app: TestApp
let ada: Tenant
let bob: Tenant
/** Bob's answers while Ada had nothing. */
const alone = new Map<string, string>()

beforeAll(async () => {
  issuer = await startOauthIssuer(clock)
  const environment = oauthEnvironment(issuer, { sink: { port: 1 }, dovecot: { port: 1 } })
  app = await startTestApp({ roles: ['web'], clock, environment })
  bob = await aTenant(app, 'goldcrest')
  // Room for another account: every call is to succeed.
  await setPlan(app, bob, 'starter')
  ada = await aNewcomer(app, 'zebrafinch')
  for (const [name, endpoint] of reading) alone.set(name, await answersTo(bob, name, endpoint))
  ada = await aTenant(app, 'zebrafinch', ada)
  await runSql(app.context.db, UNSUBSCRIBED, [ada.id, app.clock.now()])
})
afterAll(async () => {
  await app.end()
  await issuer.stop()
})

/** Facts about Lee that Ada knows and Bob does not. */
const UNSUBSCRIBED = `INSERT INTO suppressions (user_id, address_key, reason, created_at)
  VALUES ($1, 'lee@people.example', 'unsubscribed', $2)`

test.each(calls)('%s is served, and requires a session', async (_, endpoint) => {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '1'])
  const params = Object.fromEntries(names) as Named
  for (const token of [undefined, 'nonsense', `${ada.token.slice(0, -3)}AAA`]) {
    const answer = await ask(app.url, endpoint, { params, ...(token === undefined ? {} : { token }) })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'UNAUTHENTICATED' })
  }
})

test.each(reading)('%s answers the same whatever another user has', async (name, endpoint) => {
  const bobs = await answersTo(bob, name, endpoint)
  expect(bobs.toLowerCase()).not.toContain(ada.mark)
  expect(bobs).toBe(alone.get(name))
  if (!SHOW_THE_MARK.has(name)) return
  expect(bobs.toLowerCase()).toContain(bob.mark)
  expect((await answersTo(ada, name, endpoint)).toLowerCase()).toContain(ada.mark)
})

test('every call that names a row has a fixture, and every call with a body has one', () => {
  const fixtures = places.filter(({ fixture }) => FIXTURES[fixture] === undefined)
  const bodies = calls.filter(
    ([name, { body }]) => body !== undefined && BODIES[name] === undefined && BODIES_FOR[name] === undefined,
  )
  expect([
    ...fixtures.map(
      ({ fixture }) => `Add '${fixture}' to FIXTURES: how to make a row of Ada's that it names.`,
    ),
    ...bodies.map(([name]) => `Add '${name}' to BODIES: a body that it takes.`),
  ]).toEqual([])
})

test.each(places.map((place): [string, Place] => [place.fixture, place]))(
  "%s treats another's row as if it did not exist",
  async (_, place) => {
    const { field } = place
    const fixture = FIXTURES[place.fixture]
    if (fixture === undefined) throw new Error(`There is no fixture for ${place.fixture}`)
    const theirs = await fixture.own(ada)
    const before = await dump(ada)
    const tried = await asking(place, theirs, bob)
    expect(await dump(ada)).toEqual(before)
    const nothing = await asking(place, fixture.missing, bob)
    expect(tried.text.toLowerCase()).not.toContain(ada.mark)
    if (field === null) expect(tried.status).toBe(404)
    expect(alike(tried)).toEqual(alike(nothing))

    // Ada herself can do it, and nothing of Bob's changes: only this row was affected.
    const bobs = await dump(bob)
    const done = await asking(place, theirs, ada)
    expect(done).toMatchObject({ status: 200 })
    expect(await dump(bob)).toEqual(bobs)
  },
)

test.each(
  places.filter(({ field }) => field?.many === true).map((place): [string, Place] => [place.fixture, place]),
)(
  "%s passes over another's row in a list beside one's own, as over one that is not there",
  async (_, place) => {
    const fixture = FIXTURES[place.fixture]
    if (fixture === undefined) throw new Error(`There is no fixture for ${place.fixture}`)
    const theirs = await fixture.own(ada)
    const mine = [await fixture.own(bob), await fixture.own(bob)] as const
    const before = await dump(ada)
    const tried = await asking(place, theirs, bob, [mine[0]])
    expect(await dump(ada)).toEqual(before)
    expect(tried.text.toLowerCase()).not.toContain(ada.mark)
    expect(alike(tried)).toEqual(alike(await asking(place, fixture.missing, bob, [mine[1]])))
  },
)

/** Answers that differ only in numbers and random names: a mail that Bob sends has a different number each time. */
function alike({ status, text, total }: Answered): { status: number; text: string; total: string | null } {
  const plain = text.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '#').replaceAll(/\d+/g, '#')
  return { status, text: plain, total }
}

test.each(acting)("%s leaves another user's rows alone", async (name, endpoint) => {
  await withoutTwoStep(bob)
  const { body: session } = await call(app.url, auth.login, {
    body: { email: bob.email, password: bob.password },
  })
  // A run of his own in progress would keep him from changing his mailbox.
  await endRuns(bob)
  const body = await (BODIES_FOR[name]?.({ ...bob, token: session.token }) ?? BODIES[name])
  const before = await dump(ada)
  const asked = ask(app.url, endpoint, {
    token: session.token,
    ...(endpoint.upload === undefined ? { body } : { file: name === 'profile.uploadImage' ? IMAGE : FILE }),
  })
  const answer = await (name === 'outreach.generateAndSend'
    ? endingRuns(bob, asked)
    : withMailSent(app, asked))
  expect(answer.text.toLowerCase()).not.toContain(ada.mark)
  expect(answer).toMatchObject({ status: 200 })
  expect(await dump(ada)).toEqual(before)
})
