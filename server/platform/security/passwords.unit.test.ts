import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { hashPassword, verifyNothing, verifyPassword } from './passwords.ts'

test('a password is hashed at the price that OWASP asks for, which no setting lowers', async () => {
  const { passwordCost } = readConfig({})
  const stored = await hashPassword('correct horse battery', passwordCost)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword('correct horse battery', stored)).toBe(true)
  expect(await verifyPassword('correct horse batterz', stored)).toBe(false)
  expect(await verifyNothing('correct horse battery', passwordCost)).toBe(false)
})
