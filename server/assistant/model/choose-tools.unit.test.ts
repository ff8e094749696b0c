import { expect, test } from 'vitest'
import { TOOLS } from '../tools/registry.ts'
import { TOPICS } from '../tools/tool.ts'
import { MORE_TOOLS, toolsFor, topicsOf } from './choose-tools.ts'

const namesFor = (question: string) => toolsFor(new Set(topicsOf(question))).map(({ name }) => name)

test.each([
  ['How many contacts do I have?', ['read_figures', 'find_contacts']],
  ['What does Acme owe?', ['find_invoices', 'draft_invoice']],
  ['Move the call with Ann to Monday at 11', ['list_meetings', 'move_meeting', 'find_contacts']],
  ['Remind me to pay the rent', ['add_task']],
  ['Reply to Ann that it is fine', ['send_reply', 'find_emails']],
])('%s has the tools for it', (question, wanted) => {
  expect(namesFor(question)).toEqual(expect.arrayContaining(wanted))
})

test('a question of one topic has few tools, and no tool of the others', () => {
  const names = namesFor('Which tasks are overdue?')
  expect(names.length).toBeLessThanOrEqual(7)
  expect(names).not.toContain('send_email')
})

test('a question that no word gives away may look up everything, and ask for more', () => {
  const names = namesFor('Wie geht es dem Geschäft?')
  const reading = TOOLS.filter(({ kind }) => kind === 'reads').map(({ name }) => name)
  expect(names).toEqual([...reading, MORE_TOOLS])
})

test('with all topics there is every tool, and nothing more to ask for', () => {
  expect(toolsFor(new Set(TOPICS)).map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
})
