import { expect, test, vi } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { answerError, ApiError, networkError, unreadableError } from './errors.ts'
import { formResolver, showFieldErrors } from './form.ts'

const makeForm = () => ({ setError: vi.fn<() => void>(), setFocus: vi.fn<() => void>() })
const refusal = (fields?: Record<string, string>) =>
  new ApiError('answer', 400, 'Something is wrong', { fields })

test('shows the messages of the contract beside the fields', async () => {
  const check = formResolver(auth.login.body)
  const options = { fields: {}, shouldUseNativeValidation: false } as never
  expect(await check({ email: ' ', password: '' }, undefined, options)).toMatchObject({
    errors: {
      email: { message: 'Please enter your email address' },
      password: { message: 'Please enter your password' },
    },
  })
  expect(await check({ email: ' kim ', password: 'x' }, undefined, options)).toMatchObject({
    values: { email: 'kim', password: 'x' },
  })
})

test('focuses the first wrong field in the order of the form', () => {
  const form = makeForm()
  const said = refusal({ email: 'Taken', name: 'Missing', unknown: 'Hidden' })
  expect(showFieldErrors(form, said, ['name', 'email'], 'Failed')).toBeNull()
  expect(form.setFocus).toHaveBeenCalledExactlyOnceWith('name')
  expect(form.setError).toHaveBeenCalledWith('email', { type: 'server', message: 'Taken' })
})

test('returns an error that belongs to no field', () => {
  const form = makeForm()
  expect(showFieldErrors(form, refusal(), ['name'], 'Failed')).toBe('Something is wrong')
  expect(showFieldErrors(form, networkError(), ['name'], 'Failed')).toContain('Network error')
  expect(showFieldErrors(form, new TypeError('x is undefined'), ['name'], 'Failed')).toBe('Failed')
  expect(form.setFocus).not.toHaveBeenCalled()
})

test.each([
  ['400 without a body', answerError(400, '')],
  ['400 with an empty detail', answerError(400, '{"detail":""}')],
  ['400 by a proxy', answerError(400, '<h1>Bad Request</h1>')],
  ['502 by a proxy', answerError(502, '<h1>Bad Gateway</h1>')],
  ['200 that cannot be read', unreadableError(200)],
])("a refusal without a message gets the form's own: %s", (_, error) => {
  expect(showFieldErrors(makeForm(), error, ['name'], 'Failed to add todo')).toBe('Failed to add todo')
})
