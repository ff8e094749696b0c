/**
 * Why an address gets no mail. `asked`: a mail from it asks for that, and nothing proves who wrote it. `declined`: a reply says
 * no, which stops automatic mail only.
 */
export const SUPPRESSION_REASONS = [
  'unsubscribed',
  'bounced',
  'complaint',
  'manual',
  'asked',
  'declined',
] as const
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number]

/** Those that the user may lift; the others only the owner of the address can change. */
export const LIFTABLE: readonly SuppressionReason[] = ['manual', 'bounced', 'asked', 'declined']
