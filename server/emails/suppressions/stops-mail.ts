import type { Purpose, SuppressionsTable } from '../tables.ts'

/**
 * True if a suppression with this reason stops mail of this purpose. An invoice is no advertising: it reaches customers who
 * have unsubscribed, as long as their address exists.
 */
export const stopsMail = (reason: SuppressionsTable['reason'], purpose: Purpose | null): boolean =>
  purpose !== 'transactional' || reason === 'bounced'
