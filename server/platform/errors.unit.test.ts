import { expect, test } from 'vitest'
import { invalidInput, presentError, retryAfterOf, TooManyRequests } from './errors.ts'

test.each(['ENOSPC', 'EDQUOT', '53100', '58030'])('%s is reported as a full disk', (code) => {
  const error = Object.assign(new Error('could not extend file "base/5/1234"'), { code })
  expect(presentError(error)).toEqual({
    status: 503,
    body: {
      detail:
        'There is no room left on the server, so this could not be kept. Please tell whoever runs Howl.',
      code: 'UNAVAILABLE',
    },
  })
})

test.each([400, 404, 408, 413, 414, 415, 417, 429, 431, 500, 503])(
  'the framework’s own %i gets a plain sentence',
  (statusCode) => {
    const { status, body } = presentError({ statusCode, message: 'FST_ERR: at /srv/howl' })
    expect(status).toBe(statusCode)
    expect(body.detail).toMatch(/^[A-Z].*\.$/)
    expect(body.detail).not.toContain('FST')
  },
)

test('a refusal is passed on unchanged', () => {
  expect(presentError(invalidInput('Not so', { name: 'Not so' }))).toEqual({
    status: 400,
    body: { detail: 'Not so', code: 'INVALID_INPUT', fields: { name: 'Not so' } },
  })
})

test.each([
  ['admin_shutdown', { code: '57P01' }],
  ['crash_shutdown', { code: '57P02' }],
  ['cannot_connect_now', { code: '57P03' }],
  ['too_many_connections', { code: '53300' }],
  ['connection_failure', { code: '08006' }],
  ['connect ECONNREFUSED /tmp/.s.PGSQL.5432', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['connect ENOENT /tmp/.s.PGSQL.5432', { code: 'ENOENT', syscall: 'connect' }],
  ['Connection terminated unexpectedly', {}],
  ['Connection terminated due to connection timeout', {}],
  ['timeout exceeded when trying to connect', {}],
])('%s says that the database is away for a moment', (message, fields) => {
  const error = Object.assign(new Error(message), fields)
  expect(presentError(error)).toEqual({
    status: 503,
    body: { detail: 'Howl is busy or restarting. Please try again in a moment.', code: 'UNAVAILABLE' },
  })
  expect(retryAfterOf(error)).toBe(5)
})

test.each([
  ['no such file or directory', { code: 'ENOENT', syscall: 'open' }],
  ['duplicate key', { code: '23505' }],
  ['canceling statement due to user request', { code: '57014' }],
])('%s does not', (message, fields) => {
  const error = Object.assign(new Error(message), fields)
  expect(presentError(error)).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
  expect(retryAfterOf(error)).toBeUndefined()
})

test('what is refused for a while says for how long', () => {
  expect(retryAfterOf(new TooManyRequests(1500))).toBe(2)
  expect(retryAfterOf(invalidInput('Not so'))).toBeUndefined()
})
