import type { Delivery } from '#contract/mail/emails.ts'
import { clockTime, fullDate } from '../../platform/dates/mail-age.ts'
import { zonedDay } from '../../platform/dates/zoned-day.ts'

export type DeliveryStatus = { word: string; sentence: string; tone: 'calm' | 'waiting' | 'problem' }

/**
 * The delivery status of a mail, as a short label and a sentence with the mail server's own message; null once the mail
 * is sent.
 */
export function deliveryStatus(
  delivery: Delivery | null,
  now: Date,
  timeZone: string,
): DeliveryStatus | null {
  if (delivery === null || delivery.state === 'sent') return null
  const { state, reason = '', next_try_at } = delivery
  if (state === 'queued') {
    return { word: 'Queued', sentence: reason || 'Waiting to be sent.', tone: 'calm' }
  }
  if (state === 'sending') return { word: 'Sending', sentence: 'Being sent now.', tone: 'calm' }
  if (state === 'deferred') {
    const next = next_try_at === undefined ? '' : `Next try ${moment(new Date(next_try_at), now, timeZone)}.`
    const sentence = [reason || 'The mail server could not accept it yet.', next].filter(Boolean).join(' ')
    return { word: 'Deferred', sentence, tone: 'waiting' }
  }
  if (state === 'failed') {
    return { word: 'Failed', sentence: reason || 'The mail server refused it.', tone: 'problem' }
  }
  const unsure = 'The connection broke at the last moment. The email may or may not have arrived.'
  return { word: 'Unsure', sentence: reason || unsure, tone: 'problem' }
}

/** A report begins with what it means for the mail. */
const OUTCOME = /^(Not delivered|Delayed)\. ?(.*)$/s

/** What became of a sent mail afterwards, as a mail server or a report says; null if nothing is known. */
export function reportOf(delivery: Delivery | null): DeliveryStatus | null {
  if (delivery?.state !== 'sent' || !delivery.reason) return null
  const [, word = 'Report', sentence = delivery.reason] = OUTCOME.exec(delivery.reason) ?? []
  return {
    word,
    sentence: sentence || 'The mail server gave no reason.',
    tone: word === 'Not delivered' ? 'problem' : 'waiting',
  }
}

function moment(then: Date, now: Date, timeZone: string): string {
  const time = `at ${clockTime(then, timeZone)}`
  const isToday = zonedDay(then, timeZone) === zonedDay(now, timeZone)
  return isToday ? time : `on ${fullDate(then, timeZone)} ${time}`
}
