import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** What the secret key is used for: sealing mail passwords, signing links. Each purpose has a key of its own. */
export type SecretBox = ReturnType<typeof makeSecretBox>

const NONCE = 12
const TAG = 16

/** Makes the box from the secret key (at least 32 characters). */
export function makeSecretBox(secret: string) {
  const keyFor = remembering(
    (purpose): Uint8Array => new Uint8Array(hkdfSync('sha256', secret, 'howl', purpose, 32)),
  )
  const signingKey = remembering((purpose) => createSecretKey(keyFor(purpose)))
  const boxKey = keyFor('mail passwords')
  const sign = (text: string, purpose: string) =>
    createHmac('sha256', signingKey(purpose)).update(text).digest().subarray(0, 18).toString('base64url')
  return {
    /** A 32-byte key for one purpose. */
    keyFor,
    /** A short signature (base64url) of `text` for one purpose. */
    sign,
    /** Encrypts with AES-256-GCM; opening it requires the same `context` (whose secret it is). */
    seal: (plain: string, context: string): string => {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', boxKey, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([
        nonce,
        cipher.update(plain, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64')
    },
    /** @throws Error when the box was changed, or sealed with another key or context */
    open: (box: string, context: string): string => {
      const bytes = Buffer.from(box, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', boxKey, bytes.subarray(0, NONCE))
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(bytes.length - TAG))
      return (
        decipher.update(bytes.subarray(NONCE, bytes.length - TAG), undefined, 'utf8') + decipher.final('utf8')
      )
    },
    verify: (text: string, signature: string, purpose: string): boolean => {
      const expected = Buffer.from(sign(text, purpose))
      const given = Buffer.from(signature)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}

/** Purposes are few and fixed in the code; deriving a key costs more than everything else done with it. */
function remembering<T>(make: (purpose: string) => T): (purpose: string) => T {
  const made = new Map<string, T>()
  return (purpose) => {
    const known = made.get(purpose) ?? make(purpose)
    made.set(purpose, known)
    return known
  }
}
