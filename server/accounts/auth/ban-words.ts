import { BAN_REASON_LABELS } from '#contract/operations/bans.ts'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import type { BanRow } from './bans-store.ts'

/** Until when a ban lasts, in words: "until 3 December 2026 at 14:05 (Europe/Berlin)", or "for good". */
export function banEnd({ expires_at: end }: Pick<BanRow, 'expires_at'>, timeZone: string | null): string {
  if (end === null) return 'for good'
  const zone = timeZone ?? FALLBACK_ZONE
  const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  return `until ${written.format(end)} (${zone})`
}

/** Why somebody is banned, in words. */
export function banReason({ reason, description }: Pick<BanRow, 'reason' | 'description'>): string {
  return `${BAN_REASON_LABELS[reason]}. ${description}`
}
