import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Hashes a password with argon2id into a PHC string (`$argon2id$v=19$…`). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, ...COST })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${text(salt)}$${text(hash)}`
}

/** True when `stored` (a PHC string of `hashPassword`) was made from `password`. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  if (match === null) return false
  const [, memory, passes, parallelism, salt = '', expected = ''] = match
  const wanted = Buffer.from(expected, 'base64')
  const hash = await derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  })
  return timingSafeEqual(hash, wanted)
}

// A hash to verify against when there is no such account, so that the answer takes the same time.
let decoy: Promise<string> | undefined

/** Takes the time of a real check; always false. */
export async function verifyNothing(password: string): Promise<false> {
  decoy ??= hashPassword('nobody has this password')
  await verifyPassword(password, await decoy)
  return false
}
