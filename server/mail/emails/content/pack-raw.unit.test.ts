import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packRaw, RAW_IN_DATABASE_MAX, unpackRaw } from './pack-raw.ts'

test('a raw mail is restored byte for byte, and takes less space', () => {
  const mail = Buffer.from(`Subject: Words\r\n\r\n${'The same words again, é.\r\n'.repeat(200)}`)
  expect(packRaw(mail).length).toBeLessThan(mail.length / 4)
  expect(unpackRaw(packRaw(mail))).toEqual(mail)
  const small = [Buffer.alloc(0), Buffer.from([0xff, 0, 1]), packRaw(mail).subarray(0, 900)]
  for (const odd of [...small, Buffer.alloc(RAW_IN_DATABASE_MAX, 'x')])
    expect(unpackRaw(packRaw(odd))).toEqual(odd)
})

test('a mail that an earlier version stored uncompressed is read as it is', () => {
  const plain = Buffer.from('Subject: Words\r\n\r\nGood day\r\n')
  expect(unpackRaw(plain)).toEqual(plain)
  const likeAFrame = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), plain])
  expect(unpackRaw(likeAFrame)).toEqual(likeAFrame)
  const bomb = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024))
  expect(unpackRaw(bomb)).toEqual(bomb)
})
