import { expect, test } from 'vitest'
import type { SequenceStep } from '#contract/outreach/sequences.ts'
import { enrolledText, takenBackText } from './sequence-text.ts'
import { hoursText, stepText, stopsText, targetText } from './step-text.ts'

const mail = (subject: string, body = ''): SequenceStep => ({
  id: 1,
  kind: 'mail',
  template_id: null,
  subject,
  body,
  same_conversation: true,
})

test.each<[string, SequenceStep]>([
  ['Email: Bread for (company)', mail('Bread for {{ company | default: "you" }}')],
  ['Email: Is that something for you?', mail('', '{{ greeting }},\n\nIs that something\nfor you?')],
  ['Email', mail('')],
  ['Wait 1 working day', { id: 1, kind: 'wait', amount: 1, unit: 'working_days' }],
  ['Wait 36 hours', { id: 1, kind: 'wait', amount: 36, unit: 'hours' }],
  ['Wait', { id: 1, kind: 'wait', amount: Number.NaN, unit: 'hours' }],
  ['Task: Call (name)', { id: 1, kind: 'task', title: 'Call {{ name }}', due_in_days: 0 }],
  ['Remove the tag “fair”', { id: 1, kind: 'tag', act: 'remove', tag: 'fair' }],
  [
    'If their last reply says: they ask something',
    { id: 1, kind: 'condition', if: { about: 'intent', intent: 'question' }, met: 'end', otherwise: 'next' },
  ],
])('%s', (text, step) => expect(stepText(step)).toBe(text))

test('a template is told by its name', () =>
  expect(stepText({ ...mail(''), template_id: 7 } as SequenceStep, 'Thanks')).toBe('Email: Thanks'))

test('targets are told by the number of the step', () => {
  const steps = [mail('a'), { ...mail('b'), id: 2 }]
  expect(targetText(steps, 0, 'next')).toBe('go on with step 2')
  expect(targetText(steps, 0, 2)).toBe('go on with step 2')
  expect(targetText(steps, 1, 'next')).toBe('it ends here')
})

test.each([
  ['Monday to Friday, 09:00 to 17:00', [1, 2, 3, 4, 5]],
  ['Every day, 09:00 to 17:00', [1, 2, 3, 4, 5, 6, 7]],
  ['Monday and Wednesday, 09:00 to 17:00', [3, 1]],
  ['Tuesday, Wednesday, and Friday, 09:00 to 17:00', [2, 3, 5]],
])('%s', (text, days) => expect(hoursText({ days, from_hour: 9, until_hour: 17 })).toBe(text))

test('hours over midnight say that they end on the next day', () => {
  expect(hoursText({ days: [5], from_hour: 22, until_hour: 6 })).toBe(
    'Friday, 22:00 to 06:00 of the next day',
  )
  expect(hoursText({ days: [5], from_hour: 22, until_hour: 24 })).toBe('Friday, 22:00 to 24:00')
})

test('hours of the reader are said to be theirs', () => {
  const hours = { days: [1, 2, 3, 4, 5], from_hour: 9, until_hour: 17, zone: 'reader' as const }
  expect(hoursText(hours)).toBe('Monday to Friday, 09:00 to 17:00 where the reader is')
})

test('what stops it always names bounces and unsubscribing', () => {
  expect(stopsText({ reply: false, meeting: false, payment: false })).toBe('A bounce or unsubscribing')
  expect(stopsText({ reply: true, meeting: false, payment: false })).toBe(
    'A reply, a bounce, or unsubscribing',
  )
})

test('who was left out is told with the reason', () => {
  expect(enrolledText({ enrolled: 1, skipped: 0, reasons: [] }, 'Bread')).toBe('1 contact added to “Bread”')
  const reply = {
    enrolled: 1200,
    skipped: 3,
    reasons: [
      { reason: 'already_in', contacts: 2 },
      { reason: 'suppressed', contacts: 1 },
    ] as const,
  }
  expect(enrolledText(reply, 'Bread')).toBe(
    '1,200 contacts added to “Bread”. 3 skipped: 2 in it already, 1 on your do-not-mail list.',
  )
})

test('who is taken out again is told with what had left', () => {
  expect(takenBackText({ taken_out: 12, mails_left: 0 })).toBe('12 contacts taken out again')
  expect(takenBackText({ taken_out: 1, mails_left: 1 })).toBe(
    '1 contact taken out again. 1 email had left already.',
  )
  expect(takenBackText({ taken_out: 0, mails_left: 3 })).toBe(
    'Nobody was left to take out. 3 emails had left already.',
  )
})
