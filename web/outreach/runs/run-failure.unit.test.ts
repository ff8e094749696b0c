import { expect, test } from 'vitest'
import { answerError, networkError, timeoutError } from '#web/platform/api/errors.ts'
import { healthFailureOf, runFailureOf } from './run-failure.ts'

const HOST = 'http://howl.example:8000'
const answer = (status: number, body: object) => runFailureOf(answerError(status, JSON.stringify(body)), HOST)

test('every failure of the catalogue has its message', () => {
  expect(runFailureOf(networkError(), HOST).sentence).toBe(
    'Network error - please check if the backend server is running on http://howl.example:8000',
  )
  expect(runFailureOf(timeoutError(), HOST).sentence).toBe(
    'Request timed out - the backend may be slow or unreachable',
  )
  expect(runFailureOf(new Error('?'), HOST).sentence).toBe('Failed to generate/send emails')
  expect(answer(500, { detail: 'Something broke' }).sentence).toBe('Failed to generate/send emails')
})

test('a 401 signs the user out', () => {
  const failure = { sentence: 'Authentication failed. Please log in again.', next: 'leave' }
  expect(answer(401, { detail: 'No' })).toEqual(failure)
  expect(healthFailureOf(answerError(401, '{}'), HOST)).toEqual(failure)
})

test('problems with the mail account lead to its settings', () => {
  expect(answer(400, { detail: 'No', code: 'SMTP_NOT_CONFIGURED' })).toEqual({
    sentence: 'Please configure your email settings before generating emails.',
    next: 'configure',
  })
  for (const detail of ['The SMTP password is wrong', 'Bad email account', 'Configuration missing']) {
    expect(answer(400, { detail })).toEqual({
      sentence:
        'Email server configuration is missing or invalid. Please configure your email settings in Profile.',
      next: 'configure',
    })
  }
})

test("any other refusal shows the server's message, if there is one", () => {
  expect(answer(400, { detail: 'No contacts found. Please add contacts first.' }).sentence).toBe(
    'No contacts found. Please add contacts first.',
  )
  expect(answer(400, {}).sentence).toBe('Invalid request - please check your configuration')
  expect(answer(429, { detail: 'You have used your 5 AI requests for today.' }).sentence).toBe(
    'You have used your 5 AI requests for today.',
  )
})

test('a check that fails in any other way names the server', () => {
  for (const error of [networkError(), timeoutError(), answerError(503, '')]) {
    expect(healthFailureOf(error, HOST).sentence).toBe(
      'Cannot connect to backend server. Please ensure the backend is running on http://howl.example:8000',
    )
  }
})

test('an account that cannot send the run is told of in the words of the server', () => {
  const detail = 'This email account is no longer connected. Please choose another one.'
  expect(answer(400, { detail, code: 'INVALID_INPUT', fields: { mailbox_id: detail } })).toEqual({
    sentence: detail,
    next: 'nothing',
  })
})
