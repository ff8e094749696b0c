import { randomInt } from 'node:crypto'
import { RECOVERY_CODES } from '#contract/accounts/two-step.ts'
import type { Context } from '../../platform/context.ts'

/** Letters and digits that nobody takes for others: no 0, 1, i, l, o. Twelve of them are 59 bits. */
const SIGNS = '23456789abcdefghjkmnpqrstuvwxyz'
const GROUPS = 3
const GROUP_LENGTH = 4

/** New recovery codes, as they are shown: "abcd-efgh-2345". */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, newCode)
}

/** A code that nobody guesses, such as "abcd-efgh-2345". */
export function newCode(): string {
  return Array.from({ length: GROUPS }, newGroup).join('-')
}

function newGroup(): string {
  return Array.from({ length: GROUP_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')
}

/** A code without what does not count: blanks, hyphens, letter case. */
export function bareCode(typed: string): string {
  return typed.replaceAll(/[\s\p{Pd}]/gu, '').toLowerCase()
}

/** A recovery code is stored under a keyed signature with its account's id: fast, because such a code cannot be guessed. */
export function recoverySignature(context: Pick<Context, 'secrets'>, userId: number, code: string): string {
  return context.secrets.sign(`${userId}:${bareCode(code)}`, 'recovery codes')
}
