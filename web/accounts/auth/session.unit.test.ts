import { expect, test } from 'vitest'
import { answerError, networkError, timeoutError } from '#web/platform/api/errors.ts'
import { isOwnPath } from '#web/platform/own-path.ts'
import { logInSentence, registrationSentence } from './sentences.ts'
import { isUsableToken } from './token-claims.ts'

const token = (claims: object) => `head.${btoa(JSON.stringify(claims))}.sign`
const refusal = (status: number, detail: string) => answerError(status, JSON.stringify({ detail }))

test('a stored token needs three parts and a future', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  expect(isUsableToken('only.two', now)).toBe(false)
  expect(isUsableToken('', now)).toBe(false)
  expect(isUsableToken(token({ exp: now / 1000 - 1 }), now)).toBe(false)
  expect(isUsableToken(token({ exp: now / 1000 + 1 }), now)).toBe(true)
  // What cannot be read here, the server judges.
  expect(isUsableToken('a.b.c', now)).toBe(true)
})

test('log-in says the sentences of the error catalogue', () => {
  expect(logInSentence(networkError())).toBe('Network error. Please check your connection.')
  expect(logInSentence(timeoutError())).toBe('Network error. Please check your connection.')
  expect(logInSentence(new TypeError('no such thing'))).toBe('Login failed. Please try again.')
  expect(logInSentence(refusal(401, 'no'))).toBe('Wrong username or email or password')
  expect(logInSentence(refusal(400, 'Please enter your password'))).toBe('Please enter your password')
  expect(logInSentence(refusal(400, ''))).toBe('Invalid request')
  expect(logInSentence(answerError(400, 'nothing that can be read'))).toBe('Invalid request')
  expect(logInSentence(refusal(503, 'Howl is busy'))).toBe('Server error. Please try again later.')
})

test('registration says the sentences of the error catalogue', () => {
  expect(registrationSentence(refusal(400, 'A user with this email already exists'))).toBe(
    'Email already exists. Please use a different email.',
  )
  expect(registrationSentence(refusal(400, 'This username is taken.'))).toBe('This username is taken.')
  expect(registrationSentence(new Error('broken'))).toBe('Registration failed. Please try again.')
  expect(registrationSentence(networkError())).toBe('Network error. Please check your connection.')
})

test('after the log-in nobody is led out of the app', () => {
  expect(['/contacts?page=2', '/'].every(isOwnPath)).toBe(true)
  expect(
    ['//evil.example', '/\\evil.example', 'https://evil.example', '', null, 7].filter((path) =>
      isOwnPath(path),
    ),
  ).toEqual([])
  expect(
    ['/\t/evil.example', '/\n\\evil.example', '/\r\n\t//evil.example'].filter((path) => isOwnPath(path)),
  ).toEqual([])
})
