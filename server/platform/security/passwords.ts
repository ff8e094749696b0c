import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** What a guess costs: memory (KiB), passes over it, lanes; `tagLength`: bytes of the hash. */
export type PasswordCost = { memory: number; passes: number; parallelism: number; tagLength: number }

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** Hashes a password with argon2id into a PHC string (`$argon2id$v=19$…`). */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, ...cost })
  const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${text(salt)}$${text(hash)}`
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

// Hashes to verify against when there is no such account, so that the answer takes the same time.
const decoys = new WeakMap<PasswordCost, Promise<string>>()

/** Takes the time of a real check; always false. */
export async function verifyNothing(password: string, cost: PasswordCost): Promise<false> {
  const decoy = decoys.get(cost) ?? hashPassword('nobody has this password', cost)
  decoys.set(cost, decoy)
  await verifyPassword(password, await decoy)
  return false
}
