import { PASSWORD_MIN } from '#contract/accounts/auth.ts'
import { newPassword, type Registration, username, USERNAME_MIN } from '#contract/accounts/new-accounts.ts'
import { isEmailAddress } from '#contract/platform/values.ts'

export type Answers = {
  name: string
  referralCode: string
  email: string
  username: string
  password: string
  confirmation: string
  company: string
  jobTitle: string
  industry: string
  phone: string
  contacts: string
  purpose: string
  consent: boolean
}

/** The answers that are typed; the last step is a check mark. */
export type TypedAnswer = Exclude<keyof Answers, 'consent'>

export type Step = {
  field: keyof Answers
  label: string
  help?: string
  optional?: boolean
  /** What a password manager or the browser may fill in. */
  autoComplete?: string
  kind?: 'text' | 'email' | 'tel' | 'password'
  /** What is wrong with the answer, in a sentence; null when it may stand. */
  fault: (answers: Answers) => string | null
  /** The fields of the registration that hold this answer: where a fault found by the server belongs. */
  sentAs: readonly (keyof Registration)[]
}

export const NO_ANSWERS: Answers = {
  name: '',
  referralCode: '',
  email: '',
  username: '',
  password: '',
  confirmation: '',
  company: '',
  jobTitle: '',
  industry: '',
  phone: '',
  contacts: '',
  purpose: '',
  consent: false,
}

const required = (field: TypedAnswer, why: string) => (answers: Answers) =>
  answers[field].trim() === '' ? why : null
const fine = () => null

/** The thirteen questions of the sign-up, in their order. */
export const STEPS: readonly Step[] = [
  {
    field: 'name',
    label: 'Full name',
    autoComplete: 'name',
    fault: required('name', 'Please enter your full name'),
    sentAs: ['name'],
  },
  {
    field: 'referralCode',
    label: 'Referral code',
    help: 'A friend’s code gives you bonus credits.',
    optional: true,
    fault: fine,
    sentAs: ['referral_code'],
  },
  {
    field: 'email',
    label: 'Work email',
    autoComplete: 'email',
    kind: 'email',
    fault: ({ email }) => {
      if (email.trim() === '') return 'Please enter your work email'
      return isEmailAddress(email.trim()) ? null : 'Please enter a valid email address'
    },
    sentAs: ['email'],
  },
  {
    field: 'username',
    label: 'Username',
    help: `Must be at least ${USERNAME_MIN} characters long`,
    autoComplete: 'username',
    fault: (answers) => firstIssue(username, answers.username),
    sentAs: ['username'],
  },
  {
    field: 'password',
    label: 'Password',
    help: `Must be at least ${PASSWORD_MIN} characters long`,
    autoComplete: 'new-password',
    kind: 'password',
    fault: (answers) => firstIssue(newPassword, answers.password),
    sentAs: ['password'],
  },
  {
    field: 'confirmation',
    label: 'Confirm password',
    autoComplete: 'new-password',
    kind: 'password',
    fault: ({ password, confirmation }) => (password === confirmation ? null : 'Passwords do not match'),
    sentAs: [],
  },
  {
    field: 'company',
    label: 'Company name',
    autoComplete: 'organization',
    fault: required('company', 'Please enter your company name'),
    sentAs: ['company_name', 'businessName'],
  },
  {
    field: 'jobTitle',
    label: 'Job title or role',
    autoComplete: 'organization-title',
    fault: required('jobTitle', 'Please enter your job title or role'),
    sentAs: ['job_title'],
  },
  {
    field: 'industry',
    label: 'Industry',
    fault: required('industry', 'Please enter your industry'),
    sentAs: ['revenue_size'],
  },
  {
    field: 'phone',
    label: 'Phone number',
    optional: true,
    autoComplete: 'tel',
    kind: 'tel',
    fault: fine,
    sentAs: ['phone'],
  },
  {
    field: 'contacts',
    label: 'Number of contacts to manage',
    help: 'Such as 100-500, 500-1000, 1000+',
    fault: required('contacts', 'Please enter how many contacts you have'),
    sentAs: ['team_size'],
  },
  {
    field: 'purpose',
    label: 'Purpose of using the tool',
    help: 'Such as sales, marketing, recruitment',
    fault: required('purpose', 'Please enter what you will use the tool for'),
    sentAs: ['heard_about_us'],
  },
  {
    field: 'consent',
    label: 'Consent',
    fault: ({ consent }) => (consent ? null : 'Please agree to the data processing and the privacy policy'),
    sentAs: [],
  },
]

/** The step of this index, counted from 0. */
export function stepAt(index: number): Step {
  const step = STEPS[index]
  if (step === undefined) throw new Error(`The sign-up has no step ${index}`)
  return step
}

/** The index of the first step whose answer cannot stand; the last step when all can. */
export function firstOpenStep(answers: Answers): number {
  const found = STEPS.findIndex((step) => step.fault(answers) !== null)
  return found === -1 ? STEPS.length - 1 : found
}

/** The index of the first step to which a fault of the server belongs; null when it belongs to none. */
export function stepOfFault(fields: Record<string, string>): { index: number; why: string } | null {
  for (const [index, { sentAs }] of STEPS.entries()) {
    const name = sentAs.find((field) => fields[field] !== undefined)
    if (name !== undefined) return { index, why: fields[name] ?? '' }
  }
  return null
}

/** The answers as the server takes them; some travel under names of another meaning. */
export function registrationOf(answers: Answers): Registration {
  const company = answers.company.trim()
  return {
    email: answers.email.trim(),
    password: answers.password,
    name: answers.name.trim(),
    username: answers.username.trim(),
    businessName: company,
    company_name: company,
    team_size: answers.contacts.trim(),
    heard_about_us: answers.purpose.trim(),
    revenue_size: answers.industry.trim(),
    social_link: '',
    calendly_link: '',
    referral_code: answers.referralCode.trim(),
    job_title: answers.jobTitle.trim(),
    phone: answers.phone.trim(),
  }
}

type Checked = {
  safeParse: (value: string) => { success: boolean; error?: { issues: readonly { message: string }[] } }
}

function firstIssue(schema: Checked, value: string): string | null {
  const found = schema.safeParse(value)
  return found.success ? null : (found.error?.issues[0]?.message ?? 'Please check this field')
}
