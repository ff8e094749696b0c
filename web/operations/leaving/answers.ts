import {
  type ContactMethod,
  type DepartureFeedback,
  MISSING_CUSTOM_REASON,
  MISSING_RATING,
  MISSING_REASON,
  type Rating,
  type Reason,
} from '#contract/operations/leaving.ts'

/** What somebody has answered so far in the dialog. */
export type Answers = {
  category: Reason | null
  customCategory: string
  rating: Rating | null
  details: string
  improvements: string
  competitor: string
  contactConsent: boolean
  contactMethod: ContactMethod
}

export const NO_ANSWERS: Answers = {
  category: null,
  customCategory: '',
  rating: null,
  details: '',
  improvements: '',
  competitor: '',
  contactConsent: false,
  contactMethod: 'email',
}

/** The steps of the dialog in their order. */
export const STEPS = ['reason', 'rating', 'details', 'contact'] as const
export type Step = (typeof STEPS)[number]

/** An answer that is missing: the step that asks for it, its field and the sentence. */
export type Missing = { step: Step; field: 'category' | 'customCategory' | 'rating' | 'details'; why: string }

/** The first answer that is missing, in the order of the steps; null when the feedback can be sent. */
export function firstMissing(answers: Answers): Missing | null {
  if (answers.category === null) return { step: 'reason', field: 'category', why: MISSING_REASON }
  if (answers.category === 'other' && answers.customCategory.trim() === '')
    return { step: 'reason', field: 'customCategory', why: MISSING_CUSTOM_REASON }
  if (answers.rating === null) return { step: 'rating', field: 'rating', why: MISSING_RATING }
  if (answers.details.trim() === '') return { step: 'details', field: 'details', why: MISSING_REASON }
  return null
}

/** The body of the call; only what was asked for: no reason beside the list's, no contact method without consent. */
export function feedbackOf(answers: Answers): DepartureFeedback | null {
  const { category, rating } = answers
  if (category === null || rating === null) return null
  return {
    category,
    custom_category: category === 'other' ? answers.customCategory : null,
    rating,
    details: answers.details,
    improvements: answers.improvements,
    competitor: answers.competitor,
    contact_consent: answers.contactConsent,
    contact_method: answers.contactConsent ? answers.contactMethod : null,
  }
}
