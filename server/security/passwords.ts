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

/** True when `password` is the one that `stored` (a PHC string of `hashPassword`) was made of. */
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

// A stand-in to verify against when there is no such account, so that the answer takes the same time.
let decoy: Promise<string> | undefined

/** Spends the time of a real check; always false. */
export async function verifyNothing(password: string): Promise<false> {
  decoy ??= hashPassword('nobody has this password')
  await verifyPassword(password, await decoy)
  return false
}

// The head of the published lists of leaked passwords; a form of one with digits or a mark at its end is no better.
const COMMON = new Set(
  (
    'password passw0rd p@ssword p@ssw0rd qwerty qwertyuiop qwerty123 abcdef abc123 abcd1234 iloveyou letmein welcome monkey dragon ' +
    'football baseball superman batman master sunshine princess shadow michael jennifer jordan trustno1 starwars whatever ' +
    'admin administrator login hello freedom charlie donald secret computer internet changeme default guest test tester ' +
    'zxcvbnm asdfghjkl asdfgh 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx q1w2e3r4 aa123456 a123456 passwort hallo schatz azerty'
  ).split(' '),
)

/** True for a password that is on every attacker's list, or one sign repeated, or a plain row of digits. */
export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase()
  const stem = plain.replace(/[\d!?.@#$*_-]+$/, '')
  return (
    COMMON.has(plain) ||
    (stem.length > 0 && stem.length < plain.length && plain.length - stem.length <= 4 && COMMON.has(stem)) ||
    /^(.)\1*$/.test(plain) ||
    '01234567890123456789'.includes(plain) ||
    '98765432109876543210'.includes(plain)
  )
}
