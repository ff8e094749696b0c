import { expect, it } from 'vitest'
import { explain } from './faults.ts'

it.each([
  ['ENOSPC: no space left on device, write', 'is full'],
  ['FATAL:  could not write lock file "postmaster.pid": No space left on device', 'is full'],
  ['EROFS: read-only file system, mkdir', 'read-only disk'],
  ['EACCES: permission denied, open', 'may not write'],
  ['ENOTDIR: not a directory, mkdir', 'is not a folder'],
])('says what to do about %s', async (message, words) => {
  const { message: said } = await explain(new Error(message), '/srv/howl')
  expect(said).toContain('/srv/howl')
  expect(said).toContain(words)
  expect(said).not.toContain('\n')
})

it('leaves every other error as it is', async () => {
  const fault = new Error('Howl is already running')
  expect(await explain(fault, '/')).toBe(fault)
})
