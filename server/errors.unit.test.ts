import { expect, test } from 'vitest'
import { invalidInput, presentError } from './errors.ts'

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
