import { expect, test } from 'vitest'
import type { ChatMessage, Proposal } from '#contract/assistant/assistant.ts'
import { faultOf } from './ask.ts'
import { answerError, networkError } from '#web/platform/api/errors.ts'
import { cardsOf } from './cards.ts'
import { changesOf, fieldsOf } from './proposal-fields.ts'
import { pageQuestions } from './page-question.ts'
import { narrowTitle } from './session-text.ts'

const ZONE = 'Europe/Berlin'

const PROPOSAL: Proposal = {
  id: 1,
  session_id: 1,
  tool: 'send_email',
  summary: 'Send an email to Ann Lee',
  content: {},
  lines: [],
  editable: {},
  hash: 'a'.repeat(64),
  status: 'pending',
  created_at: '2026-01-05T09:00:00.000Z',
  expires_at: '2026-01-06T09:00:00.000Z',
  decided_at: null,
  result: null,
}
const answer = (id: number, ...proposals: number[]): ChatMessage => ({
  id,
  role: 'assistant',
  content: 'Here.',
  intent: null,
  status: 'done',
  message_metadata: { by: 'rules', model: null, sources: [], proposal_ids: proposals, suggestions: [] },
  created_at: '2026-01-05T09:00:00.000Z',
})

test('titles are cut at 30 characters in the narrow list', () => {
  expect(narrowTitle('A title of thirty characters..')).toBe('A title of thirty characters..')
  expect(narrowTitle('A title of thirty characters..!')).toBe('A title of thirty characters..…')
  expect(Array.from(narrowTitle('🐺'.repeat(40)))).toHaveLength(31)
})

test('a failed call says what the conversation shows', () => {
  const refusal = (status: number, detail: string) => answerError(status, JSON.stringify({ detail }))
  expect(faultOf(networkError())).toEqual({
    kind: 'other',
    sentence: 'Sorry, I encountered an error. Please try again.',
  })
  expect(faultOf(answerError(500, '')).sentence).toBe('Sorry, I encountered an error. Please try again.')
  expect(faultOf(refusal(401, 'No.'))).toEqual({ kind: 'log-in', sentence: 'Please log in to use Wolfy' })
  expect(faultOf(refusal(429, 'That was your last today.'))).toEqual({
    kind: 'rules',
    sentence: 'That was your last today.',
  })
})

test('an edited proposal stands where the old one stood', () => {
  const [old, made, other] = [
    { ...PROPOSAL, id: 4, status: 'replaced' as const },
    { ...PROPOSAL, id: 9 },
    { ...PROPOSAL, id: 6, tool: 'add_task' },
  ]
  const cards = cardsOf([answer(10, 4, 9), answer(20, 6)], [old, made, other])
  expect(cards.get(10)).toEqual([made])
  expect(cards.get(20)).toEqual([other])
})

test('only what was changed in a proposal is sent, with times of the zone as instants', () => {
  const fields = fieldsOf(
    {
      ...PROPOSAL,
      editable: {
        subject: 'Offer',
        schedule_at: '2026-07-01T08:00:00.000Z',
        start: '2026-11-27T15:00',
        minutes: null,
        due_date: '2026-03-01',
        items: [{ description: 'Bread', unit_price: '2' }],
      },
    },
    ZONE,
  )
  expect(fields.map(({ label, start }) => [label, start])).toEqual([
    ['Subject', 'Offer'],
    ['Send at', '2026-07-01T10:00'],
    ['Start time', '2026-11-27T15:00'],
    ['Minutes', ''],
    ['Due date', '2026-03-01'],
    ['Lines', '[{"description":"Bread","unit_price":"2"}]'],
  ])
  expect(changesOf(fields, {}, ZONE)).toEqual({})
  expect(
    changesOf(
      fields,
      {
        subject: 'Offer',
        schedule_at: '2026-07-01T11:00',
        minutes: '45',
        due_date: '',
        items: '[{"description":"Rolls"}]',
      },
      ZONE,
    ),
  ).toEqual({
    schedule_at: '2026-07-01T09:00:00.000Z',
    minutes: 45,
    due_date: null,
    items: [{ description: 'Rolls', quantity: '1', unit_price: '' }],
  })
})

test('questions fit the page that one is on', () => {
  expect(pageQuestions('/invoices/all')).toEqual(['Which invoices are overdue?'])
  const ann = { name: 'Ann Lee', email: 'ann@acme.example', suppressed: null }
  expect(pageQuestions('/contacts/7', { ...ann, computed_status: 'new', last_contact: null })).toEqual([
    'Why was Ann Lee not mailed?',
    'Remind me to call Ann Lee tomorrow',
  ])
  const mailed = { ...ann, computed_status: 'sent', last_contact: '2026-01-05T09:00:00.000Z' } as const
  expect(pageQuestions('/contacts/7', mailed)).toEqual([
    'Summarise the conversation with Ann Lee',
    'Write a follow-up to Ann Lee',
    'Remind me to call Ann Lee tomorrow',
  ])
  // Nothing that could not be done, or would be strange.
  expect(pageQuestions('/contacts/7', { ...mailed, computed_status: 'interested' })).toEqual([
    'Summarise the conversation with Ann Lee',
    'Remind me to call Ann Lee tomorrow',
  ])
  expect(pageQuestions('/contacts/7', { ...mailed, suppressed: 'unsubscribed' })).not.toContain(
    'Write a follow-up to Ann Lee',
  )
  expect(pageQuestions('/profile')).toContain('What are my numbers?')
})
