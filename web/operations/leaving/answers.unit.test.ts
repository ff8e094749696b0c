import { expect, test } from 'vitest'
import { type Answers, feedbackOf, firstMissing, NO_ANSWERS } from './answers.ts'

const ALL: Answers = { ...NO_ANSWERS, category: 'pricing', rating: 4, details: 'Too expensive' }

test.each([
  [NO_ANSWERS, 'reason', 'Please select a category and provide details'],
  [{ ...ALL, category: null }, 'reason', 'Please select a category and provide details'],
  [{ ...ALL, category: 'other' as const }, 'reason', 'Please specify the reason for leaving'],
  [
    { ...ALL, category: 'other' as const, customCategory: ' ' },
    'reason',
    'Please specify the reason for leaving',
  ],
  [{ ...ALL, rating: null }, 'rating', 'Please provide a rating'],
  [{ ...ALL, details: ' \n' }, 'details', 'Please select a category and provide details'],
])('%j lacks an answer of the step %s', (answers, step, why) => {
  expect(firstMissing(answers)).toMatchObject({ step, why })
})

test('feedback says how to get in touch only with consent, and a reason in own words only for "other"', () => {
  expect(firstMissing(ALL)).toBeNull()
  const left = { ...ALL, customCategory: 'We merged', contactMethod: 'phone' as const }
  expect(feedbackOf(left)).toMatchObject({ custom_category: null, contact_method: null })
  expect(feedbackOf({ ...left, category: 'other', contactConsent: true })).toMatchObject({
    custom_category: 'We merged',
    contact_method: 'phone',
  })
})
