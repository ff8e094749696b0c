import { expect, test, vi } from 'vitest'
import { auth } from '#contract/auth.ts'
import { ApiError, networkError } from './errors.ts'
import { formResolver, showFieldErrors } from './form.ts'

const makeForm = () => ({ setError: vi.fn<() => void>(), setFocus: vi.fn<() => void>() })
const refusal = (fields?: Record<string, string>) =>
  new ApiError('answer', 400, 'Something is wrong', { fields })

test("the contract's own sentences stand beside the fields", async () => {
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

test('the first wrong field in the order of the form has the focus', () => {
  const form = makeForm()
  const said = refusal({ email: 'Taken', name: 'Missing', unknown: 'Hidden' })
  expect(showFieldErrors(form, said, ['name', 'email'], 'Failed')).toBeNull()
  expect(form.setFocus).toHaveBeenCalledExactlyOnceWith('name')
  expect(form.setError).toHaveBeenCalledWith('email', { type: 'server', message: 'Taken' })
})

test('what belongs to no field is said for the whole form', () => {
  const form = makeForm()
  expect(showFieldErrors(form, refusal(), ['name'], 'Failed')).toBe('Something is wrong')
  expect(showFieldErrors(form, networkError(), ['name'], 'Failed')).toContain('Network error')
  expect(showFieldErrors(form, new TypeError('x is undefined'), ['name'], 'Failed')).toBe('Failed')
  expect(form.setFocus).not.toHaveBeenCalled()
})
