import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { makeSecretBox } from '../../platform/security/secret-box.ts'

/** The member that holds the key under a passphrase. */
export const SEALED_KEY = 'secret-key.json'

/** What a guess of the passphrase costs: 128 MB and some tenths of a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
const MEMORY_MAX = 256 * 1024 * 1024
const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)

const bytes = z.string().transform((text) => Buffer.from(text, 'base64'))
const sealed = z.object({
  kdf: z.literal('scrypt'),
  N: z
    .number()
    .int()
    .min(2)
    .max(2 ** 20),
  r: z.number().int().min(1).max(16),
  p: z.number().int().min(1).max(4),
  salt: bytes,
  cipher: z.literal('aes-256-gcm'),
  nonce: bytes,
  tag: bytes,
  key: bytes,
})

/** Tells whether a secret key is that of a backup, and tells nothing else about it. */
export const markOf = (key: string) => makeSecretBox(key).sign('howl', 'backup')

/** The secret key as JSON, sealed with a passphrase. */
export async function sealKey(key: string, passphrase: string): Promise<Buffer> {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const derived = await derive(passphrase.normalize(), salt, 32, { ...COST, maxmem: MEMORY_MAX })
  const cipher = createCipheriv('aes-256-gcm', derived, nonce)
  const content = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()])
  const inBase64 = {
    salt: salt.toString('base64'),
    cipher: 'aes-256-gcm',
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    key: content.toString('base64'),
  }
  return Buffer.from(`${JSON.stringify({ kdf: 'scrypt', ...COST, ...inBase64 }, null, 1)}\n`)
}

/** Opens what `sealKey` made; null for another passphrase. */
export async function openKey(content: Buffer, passphrase: string): Promise<string | null> {
  const { N, r, p, salt, nonce, tag, key } = sealed.parse(JSON.parse(content.toString('utf8')))
  const derived = await derive(passphrase.normalize(), salt, 32, {
    N,
    r,
    p,
    maxmem: 1024 * N * r + MEMORY_MAX,
  })
  const cipher = createDecipheriv('aes-256-gcm', derived, nonce, { authTagLength: 16 })
  cipher.setAuthTag(tag)
  try {
    return cipher.update(key, undefined, 'utf8') + cipher.final('utf8')
  } catch {
    return null
  }
}
