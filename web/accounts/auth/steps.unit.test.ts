import { expect, test } from 'vitest'
import { registration } from '#contract/accounts/new-accounts.ts'
import { type Answers, firstOpenStep, NO_ANSWERS, registrationOf, stepOfFault, STEPS } from './steps.ts'

const good: Answers = {
  name: ' Ada Muster ',
  referralCode: '',
  email: ' ada@howl.example ',
  username: 'ada',
  password: 'correct horse',
  confirmation: 'correct horse',
  company: 'Muster Ltd',
  jobTitle: 'Owner',
  industry: 'Bakery',
  phone: '',
  contacts: '100-500',
  purpose: 'sales',
  consent: true,
}
const faultOf = (field: keyof Answers, answers: Partial<Answers>) =>
  STEPS.find((step) => step.field === field)?.fault({ ...good, ...answers })

test('there are thirteen steps, and the answers of a careful person pass them all', () => {
  expect(STEPS).toHaveLength(13)
  expect(STEPS.map((step) => step.fault(good)).filter((why) => why !== null)).toEqual([])
})

test.each<[keyof Answers, Partial<Answers>, string]>([
  ['name', { name: '   ' }, 'Please enter your full name'],
  ['email', { email: '' }, 'Please enter your work email'],
  ['email', { email: 'ada.howl.example' }, 'Please enter a valid email address'],
  ['username', { username: 'ad' }, 'Must be at least 3 characters long'],
  ['password', { password: '1234567' }, 'Must be at least 8 characters long'],
  ['confirmation', { confirmation: 'Correct horse' }, 'Passwords do not match'],
  ['company', { company: '' }, 'Please enter your company name'],
  ['consent', { consent: false }, 'Please agree to the data processing and the privacy policy'],
])('%s: %j is refused', (field, answers, why) => {
  expect(faultOf(field, answers)).toBe(why)
})

test('referral code and phone number may be left out', () => {
  expect(faultOf('referralCode', { referralCode: '' })).toBeNull()
  expect(faultOf('phone', { phone: '' })).toBeNull()
})

test('each answer travels under the name that the server knows', () => {
  expect(registrationOf(good)).toEqual({
    email: 'ada@howl.example',
    password: 'correct horse',
    name: 'Ada Muster',
    username: 'ada',
    businessName: 'Muster Ltd',
    company_name: 'Muster Ltd',
    team_size: '100-500',
    heard_about_us: 'sales',
    revenue_size: 'Bakery',
    social_link: '',
    calendly_link: '',
    referral_code: '',
    job_title: 'Owner',
    phone: '',
  })
  expect(registration.safeParse(registrationOf(good)).success).toBe(true)
})

test("the server's word about a field leads to the step that asks for it", () => {
  const at = (fields: Record<string, string>) => STEPS[stepOfFault(fields)?.index ?? -1]?.field
  expect(at({ username: 'This username is taken. Please choose another.' })).toBe('username')
  expect(at({ team_size: 'Too long' })).toBe('contacts')
  expect(at({ password: 'Common', email: 'Taken' })).toBe('email')
  expect(stepOfFault({})).toBeNull()
})

test('opened again, the wizard stands at the first answer that is missing', () => {
  expect(firstOpenStep(NO_ANSWERS)).toBe(0)
  expect(STEPS[firstOpenStep({ ...good, password: '', confirmation: '' })]?.field).toBe('password')
  expect(firstOpenStep(good)).toBe(12)
})
