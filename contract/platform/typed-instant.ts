import * as z from 'zod/mini'
import { atMost } from './values.ts'

const INSTANT = /^(\d{4}-\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/

// Date.parse alone accepts "next week 5" as a day of 2001, and 30 February as 2 March.
function isInstant(text: string): boolean {
  const [, month = '', day] = INSTANT.exec(text) ?? []
  const lastDay = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  return !Number.isNaN(Date.parse(text)) && Number(day) <= lastDay
}

/** An instant with nanoseconds and a zone has 35 characters. */
export const INSTANT_MAX = 40
export const NO_INSTANT = 'This is not a date and time'

/**
 * An instant typed by a person or sent by a program: any ISO 8601 text with an existing date; without a zone it is
 * UTC.
 */
export const typedInstant = z.string().check(
  z.trim(),
  atMost(INSTANT_MAX, NO_INSTANT),
  z.refine(isInstant, NO_INSTANT),
  z.overwrite((text) => (text.length > 10 && INSTANT.exec(text)?.[3] === undefined ? `${text}Z` : text)),
)

/** True for a calendar day that exists, as `2026-03-29`. */
export function isDay(typed: string): boolean {
  // Date also reads years of six digits, with a sign.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed)) return false
  const at = new Date(`${typed}T00:00:00Z`)
  // 30 February would be 2 March.
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === typed
}
