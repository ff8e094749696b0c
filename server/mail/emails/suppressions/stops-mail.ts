import type { SuppressionReason } from '#contract/crm/suppressions.ts'
import type { Purpose } from '../tables.ts'

/**
 * True if a suppression with this reason stops mail of this purpose. An invoice is no advertising: it reaches customers who
 * have unsubscribed, as long as their address exists. A no stops only runs, follow-ups and sequences (`isAutomatic`).
 */
export const stopsMail = (reason: SuppressionReason, purpose: Purpose | null, isAutomatic = false): boolean =>
  reason === 'declined' ? isAutomatic : purpose !== 'transactional' || reason === 'bounced'
