import { expect, test } from 'vitest'
import { idempotencyKeyOf } from './idempotency-key.ts'

test('consists of recipient, subject and body in safe characters', () => {
  const key = idempotencyKeyOf({
    to: 'kim@acme.example',
    subject: 'Ünïcode, “quotes”\r\nX: y',
    content: 'One\ntwo',
  })
  expect(key).toBe('kim@acme.example-_n_code_quotes_X_y-One_two')
})

test('cuts each part to 100 characters', () => {
  const long = 'x'.repeat(500)
  expect(
    idempotencyKeyOf({ to: long, subject: long, content: long })
      .split('-')
      .map((part) => part.length),
  ).toEqual([100, 100, 100])
})

test('identifies a reply by the mail it answers', () => {
  expect(idempotencyKeyOf({ email_id: 17, subject: 'Re: Hello', body: 'Yes' })).toBe('17-Re_Hello-Yes')
})

test('always fits into a header', () => {
  expect(idempotencyKeyOf({ to: 'a@b.example', subject: '你好', content: '🐺' })).toMatch(/^[\w.@-]*$/)
  expect(idempotencyKeyOf(undefined)).toBe('')
})
