import type { ContactMethod, Rating, Reason } from '#contract/operations/leaving.ts'

/** The answers of the feedback in words. */
export const REASON_LABELS: Record<Reason, string> = {
  pricing: 'Pricing',
  features: 'Features',
  support: 'Support',
  usability: 'Usability',
  performance: 'Performance',
  other: 'Other',
}

export const RATING_LABELS: Record<Rating, string> = {
  1: 'Very Poor',
  2: 'Poor',
  3: 'Average',
  4: 'Good',
  5: 'Excellent',
}

export const METHOD_LABELS: Record<ContactMethod, string> = { email: 'Email', phone: 'Phone', other: 'Other' }
