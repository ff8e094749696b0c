import { expect, test } from 'vitest'
import { actionOf, type Estimate, linesOf, runBody, skippedOf } from './plan.ts'
import { ABOUT_YOU, choiceOf, optionOf } from './written-from.ts'

const estimate: Estimate = {
  contacts: 214,
  to_send: 200,
  already_mailed: 8,
  declined: 2,
  suppressed: 3,
  invalid: 1,
  left_out: 0,
  edited: 0,
  with_gap: 0,
  gaps: [],
  template: null,
  has_brief: false,
  uses_model: false,
  model: null,
  tokens: 0,
  seconds: 40,
  configured: true,
  practice: false,
  spread: null,
  example: null,
  links_reach: true,
}

const textOf = (name: string, changes: Partial<Estimate> = {}) =>
  linesOf({ estimate: { ...estimate, ...changes }, mailbox: null }).find((line) => line.name === name)

test('the action counts the contacts that get an email, not the skipped ones', () => {
  expect(actionOf(estimate)).toBe('Send to 200 contacts')
  expect(actionOf({ ...estimate, to_send: 1 })).toBe('Send to 1 contact')
})

test('says who is skipped and why', () => {
  expect(skippedOf(estimate)).toBe(
    '14 of 214 contacts: 8 emailed before, 2 said no, 3 unsubscribed, bounced or on your do-not-mail list, 1 without a valid address',
  )
  expect(
    skippedOf({ ...estimate, contacts: 200, already_mailed: 0, declined: 0, suppressed: 0, invalid: 0 }),
  ).toBeNull()
})

test('says who writes the text, how long the run takes and what it costs', () => {
  expect(textOf('Text')?.text).toContain('Howl’s template')
  expect(textOf('Text', { has_brief: true })?.text).toContain('What you said in “About you”')
  expect(textOf('Text', { has_brief: true, uses_model: true })?.more).toContain('“About you”')
  expect(textOf('Cost')).toBeUndefined()
  expect(textOf('Text', { uses_model: true, model: 'qwen3:8b' })?.text).toBe(
    'Written for each contact by qwen3:8b',
  )
  expect(textOf('Cost', { tokens: 140_000 })?.text).toBe('About 140,000 tokens of your language model')
  expect(textOf('Takes')?.text).toBe('About 40 seconds')
})

test('says which template is used, and for how many it has a gap', () => {
  expect(textOf('Text', { template: { name: 'Bread', fault: null } })?.text).toBe(
    'Your template “Bread”, filled in for each contact',
  )
  expect(skippedOf({ ...estimate, to_send: 198, with_gap: 2 })).toMatch(
    /^16 of .*, 2 with a gap in the template$/,
  )
})

test('says that practice mail never leaves Howl', () => {
  expect(textOf('Mailbox', { practice: true })?.more).toContain('Nothing leaves Howl')
})

test('the run names the account that was shown, also where there was no choice', () => {
  expect(runBody({ mailbox: { id: 3, address: 'ann@muster.example', host: '' }, from: ABOUT_YOU })).toEqual({
    mailbox_id: 3,
  })
  expect(runBody({ mailbox: null, from: ABOUT_YOU })).toBeUndefined()
})

test('the run names the template that was chosen, and only one of the user’s', () => {
  const mailbox = { id: 3, address: 'ann@muster.example', host: '' }
  expect(runBody({ mailbox, from: choiceOf('own 12') })).toEqual({ mailbox_id: 3, template_id: 12 })
  expect(runBody({ mailbox, from: choiceOf('house thanks') })).toEqual({ mailbox_id: 3 })
  for (const option of ['', 'own 12', 'house thanks']) expect(optionOf(choiceOf(option))).toBe(option)
})
