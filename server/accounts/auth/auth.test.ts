import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { devices } from '#contract/accounts/devices.ts'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

const WRONG = 'Wrong username or email or password'
const me = async (token: string) => (await call(app.url, auth.me, { token })).status

test('registering signs the user in and keeps every answer of the wizard', async () => {
  const { status, body } = await call(app.url, newAccounts.register, {
    body: {
      email: ' Grace@Howl.Example ',
      password: 'correct horse battery',
      name: ' Grace Muster ',
      username: 'grace',
      businessName: 'Muster Ltd',
      company_name: 'Muster Ltd',
      team_size: '100-500',
      heard_about_us: 'sales',
      revenue_size: 'Bakery',
      social_link: '',
      calendly_link: '',
      referral_code: 'FRIEND',
      job_title: 'Owner',
      phone: '+49 30 1234',
    },
  })
  expect(status).toBe(200)
  expect(body.user).toEqual({
    id: expect.any(Number) as number,
    email: 'Grace@Howl.Example',
    name: 'Grace Muster',
    profile_image_url: null,
    is_admin: false,
  })
  const account = await call(app.url, auth.me, { token: body.token })
  expect(account.body).toMatchObject({
    ...body.user,
    username: 'grace',
    company_name: 'Muster Ltd',
    team_size: '100-500',
    heard_about_us: 'sales',
    revenue_size: 'Bakery',
    job_title: 'Owner',
    phone: '+49 30 1234',
  })
})

test('no answer contains a password or its hash', async () => {
  const user = await signUp(app.url)
  const account = await call(app.url, auth.me, { token: user.token })
  expect(JSON.stringify(account.body)).not.toMatch(/password|argon2/i)
})

test.each([
  ['an address that is taken, in other letters', { email: 'TAKEN@HOWL.EXAMPLE' }, 'email', /already exists/],
  ['an address that is taken, in quotes', { email: '"taken"@howl.example' }, 'email', /already exists/],
  ['a user name that is taken, in other letters', { username: 'TAKEN' }, 'username', /taken/],
  ['a common password', { password: 'password123' }, 'password', /most common/],
  ['a short password', { password: '1234567' }, 'password', 'Must be at least 8 characters long'],
  ['a common password in other letters', { password: 'Liverpool1!' }, 'password', /most common/],
  ['one’s own name', { name: 'Greta Sommer', password: 'greta-sommer-24' }, 'password', /of your name\./],
  ['one’s user name', { username: 'pelikan', password: 'Pelikan!2024' }, 'password', /of your user name\./],
  [
    'one’s address',
    { email: 'a.wagner@kontor.example', password: 'wagner@kontor' },
    'password',
    /email address/,
  ],
  [
    'one’s company',
    { company_name: 'Muster & Co', password: 'muster co 2024' },
    'password',
    /of your company\./,
  ],
  ['one’s business', { businessName: 'Backstube', password: 'backstube7' }, 'password', /of your company\./],
  ['a password that is long to hash', { password: 'x'.repeat(201) }, 'password', /under 200/],
  ['a short user name', { username: 'ab' }, 'username', 'Must be at least 3 characters long'],
  ['a user name with a blank', { username: 'a b' }, 'username', /no blanks/],
  ['a user name that could be an address', { username: 'a@b.example' }, 'username', /no @/],
  ['no address', { email: 'nobody' }, 'email', 'Please enter a valid email address'],
  ['no name', { name: '  ' }, 'name', 'Please enter your full name'],
])('%s is refused at its field', async (_, change, field, why) => {
  await call(app.url, newAccounts.register, {
    body: {
      email: 'taken@howl.example',
      username: 'taken',
      name: 'First',
      password: 'correct horse battery',
    },
  })
  const fresh = {
    email: 'free@howl.example',
    username: 'free',
    name: 'Second',
    password: 'correct horse battery',
  }
  const { status, error } = await call(app.url, newAccounts.register, { body: { ...fresh, ...change } })
  expect(status).toBe(400)
  expect(error).toMatchObject({
    code: 'INVALID_INPUT',
    fields: { [field]: expect.stringMatching(why) as string },
  })
  expect(error.detail).toMatch(why)
})

test('of ten equal registrations at once, one succeeds', async () => {
  const body = {
    email: 'race@howl.example',
    username: 'race',
    name: 'Race',
    password: 'correct horse battery',
  }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => call(app.url, newAccounts.register, { body })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(9)
})

test('log-in accepts the address or the user name, ignoring case and surrounding blanks', async () => {
  const { email, username, password } = await signUp(app.url)
  for (const login of [email, username, ` ${email.toUpperCase()} `, `\t${username.toUpperCase()}\n`]) {
    const { status, body } = await call(app.url, auth.login, { body: { email: login, password } })
    expect(status).toBe(200)
    expect(body.user.email).toBe(email)
    expect(await me(body.token)).toBe(200)
  }
})

test('a user without a time zone gets that of the browser at log-in', async () => {
  const { email, password } = await signUp(app.url)
  const zoneAfter = async (zone: string) => {
    const headers = { 'X-User-Timezone': zone }
    const { body } = await call(app.url, auth.login, { body: { email, password }, headers })
    return (await call(app.url, auth.me, { token: body.token })).body.time_zone
  }
  expect(await zoneAfter('Mars/Olympus')).toBeNull()
  expect(await zoneAfter('Europe/Berlin')).toBe('Europe/Berlin')
  expect(await zoneAfter('Asia/Tokyo')).toBe('Europe/Berlin')
})

test('a wrong password and an unknown account get the same answer', async () => {
  const { email } = await signUp(app.url)
  const wrong = await call(app.url, auth.login, { body: { email, password: 'not this one' } })
  const unknown = await call(app.url, auth.login, {
    body: { email: 'no@howl.example', password: 'not this one' },
  })
  expect(wrong).toMatchObject({ status: 401, error: { detail: WRONG, code: 'UNAUTHENTICATED' } })
  expect({ status: unknown.status, body: unknown.error }).toEqual({ status: wrong.status, body: wrong.error })
})

test('passwords are compared exactly', async () => {
  const { email, password } = await signUp(app.url)
  for (const near of [password.toUpperCase(), `${password} `, ` ${password}`]) {
    expect((await call(app.url, auth.login, { body: { email, password: near } })).status).toBe(401)
  }
})

test('a forged or malformed token is refused', async () => {
  const { token } = await signUp(app.url)
  const [head = '', payload = '', signature = ''] = token.split('.')
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
  const tampered = [
    `${head}.${payload}.`,
    `${unsigned}.${payload}.`,
    `${head}.${payload}A.${signature}`,
    'nonsense',
    '',
  ]
  for (const bad of tampered) expect(await me(bad)).toBe(401)
})

test('the list of sessions marks the current one', async () => {
  const user = await signUp(app.url)
  const headers = { 'User-Agent': 'A phone' }
  const second = await call(app.url, auth.login, {
    body: { email: user.email, password: user.password },
    headers,
  })
  const { body } = await call(app.url, devices.sessions, { token: user.token })
  expect(body).toHaveLength(2)
  expect(body.map(({ current, user_agent }) => ({ current, phone: user_agent === 'A phone' }))).toEqual(
    expect.arrayContaining([
      { current: true, phone: false },
      { current: false, phone: true },
    ]),
  )
  expect(second.status).toBe(200)
})

test('a session ended from another one is over within a second; the other stays', async () => {
  const user = await signUp(app.url)
  const phone = await call(app.url, auth.login, { body: { email: user.email, password: user.password } })
  expect(await me(phone.body.token)).toBe(200)
  const { body } = await call(app.url, devices.sessions, { token: user.token })
  const id = body.find(({ current }) => !current)?.id ?? ''
  expect((await call(app.url, devices.endSession, { token: user.token, params: { id } })).status).toBe(200)
  await expect.poll(() => me(phone.body.token), { interval: 50 }).toBe(401)
  expect(await me(user.token)).toBe(200)
  const again = await call(app.url, devices.endSession, { token: user.token, params: { id } })
  expect(again).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
})

test('log-out ends this session only', async () => {
  const user = await signUp(app.url)
  const other = await call(app.url, auth.login, { body: { email: user.email, password: user.password } })
  expect((await call(app.url, auth.logout, { token: user.token })).status).toBe(200)
  expect(await me(user.token)).toBe(401)
  expect(await me(other.body.token)).toBe(200)
})

test('a session expires', async () => {
  const user = await signUp(app.url)
  app.clock.forward(31 * 86_400_000)
  await expect.poll(() => me(user.token), { interval: 100 }).toBe(401)
})

test('“sign out everywhere else” ends all other sessions within a second, in another process too', async () => {
  const user = await signUp(app.url)
  const stranger = await signUp(app.url)
  const other = await startTestApp({ roles: ['web'], database: { url: app.databaseUrl } })
  try {
    const logIn = () => call(app.url, auth.login, { body: { email: user.email, password: user.password } })
    const tokens = (await Promise.all([logIn(), logIn(), logIn()])).map(({ body }) => body.token)
    const there = async (token: string) => (await call(other.url, auth.me, { token })).status
    for (const token of tokens) expect(await there(token)).toBe(200)
    const { body } = await call(app.url, devices.endOtherSessions, { token: user.token })
    expect(body).toEqual({ ended: 3 })
    for (const token of tokens) {
      await expect.poll(() => there(token), { interval: 50 }).toBe(401)
      expect(await me(token)).toBe(401)
    }
    expect([await me(user.token), await me(stranger.token)]).toEqual([200, 200])
    expect((await call(app.url, devices.sessions, { token: user.token })).body).toHaveLength(1)
    expect((await call(app.url, devices.endOtherSessions, { token: user.token })).body).toEqual({ ended: 0 })
  } finally {
    await other.end()
  }
})

const check = (body: object) => call(app.url, newAccounts.checkAvailability, { body })

test('before an account is opened, an address and a user name are free or taken, whatever their letter case', async () => {
  const ada = await signUp(app.url)
  expect((await check({ email: 'nobody@far.example', username: 'nobody-else' })).body).toEqual({
    available: true,
    why: null,
  })
  expect((await check({ email: ada.email.toUpperCase() })).body).toEqual({
    available: false,
    why: 'Email already exists. Please use a different email.',
  })
  expect((await check({ username: ada.username.toUpperCase() })).body).toEqual({
    available: false,
    why: 'This username is taken. Please choose another.',
  })
  expect((await check({ email: 'not an address' })).status).toBe(400)
})
