import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BlobNotFound, fileBlobs, type Blobs } from './blobs.ts'

let folder: string
let blobs: Blobs

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'howl-blobs-'))
  blobs = fileBlobs(path.join(folder, 'blobs'))
})
afterAll(() => rm(folder, { recursive: true }))

test('keeps bytes and gives them back, whole or as a stream', async () => {
  expect(await blobs.put('7/mail/1.eml', Buffer.from('hello'))).toBe(5)
  expect(await blobs.put('7/mail/2.eml', Readable.from([Buffer.from('hel'), Buffer.from('lo!')]))).toBe(6)
  expect(String(await blobs.get('7/mail/1.eml'))).toBe('hello')
  expect(String(await buffer(await blobs.stream('7/mail/2.eml')))).toBe('hello!')
  await blobs.put('7/mail/1.eml', Buffer.from('again'))
  expect(String(await blobs.get('7/mail/1.eml'))).toBe('again')
})

test('deletes, also what is not there', async () => {
  await blobs.put('gone', Buffer.from('x'))
  await blobs.delete('gone')
  await blobs.delete('gone')
  await expect(blobs.get('gone')).rejects.toBeInstanceOf(BlobNotFound)
  await expect(blobs.stream('gone')).rejects.toBeInstanceOf(BlobNotFound)
})

test('leaves nothing behind when the source breaks', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('line cut')
    })(),
  )
  await expect(blobs.put('half/one', broken)).rejects.toThrow('line cut')
  expect(await readdir(path.join(folder, 'blobs/half'))).toEqual([])
})

test.each(['', '/etc/passwd', '../up', 'a/../../b', 'a//b', 'a/', '.hidden', 'a\0b', 'a b', 'x'.repeat(201)])(
  'takes no key like "%s"',
  async (key) => {
    await expect(blobs.put(key, Buffer.from('x'))).rejects.toThrow('Not a blob key')
    await expect(blobs.get(key)).rejects.toThrow('Not a blob key')
  },
)
