import { describe, expect, test } from 'vitest'
import { taskTitle } from './mail-task.ts'
import { aboutOf } from './todo-links.ts'
import { dayText, descriptionPreview, isOverdue } from './todo-text.ts'

describe('a task', () => {
  test('of twenty words is shown whole, a longer one is cut', () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')
    expect(descriptionPreview(words(20))).toBeNull()
    expect(descriptionPreview(words(21))).toBe(`${words(20)}…`)
    expect(descriptionPreview('')).toBeNull()
  })

  test('is overdue from the next day on', () => {
    expect(isOverdue('2026-03-08', '2026-03-09')).toBe(true)
    expect(isOverdue('2026-03-09', '2026-03-09')).toBe(false)
    expect(isOverdue(null, '2026-03-09')).toBe(false)
  })

  test('shows its due date in full', () => expect(dayText('2026-03-09')).toBe('Mar 09, 2026'))
})

describe('a task about a mail', () => {
  const mail = { sender: 'Bea' }
  test.each([
    ['Re: Bread', 'Bread'],
    ['Fwd: RE: AW[2]: Bread', 'Bread'],
    ['Report: bread', 'Report: bread'],
    ['Reply wanted', 'Reply wanted'],
    ['Re: ', 'Email from Bea'],
    ['', 'Email from Bea'],
  ])('“%s” has the title “%s”', (subject, title) => expect(taskTitle({ ...mail, subject })).toBe(title))

  test('has a title that the server accepts', () => {
    expect(taskTitle({ ...mail, subject: `${'x'.repeat(299)}😀` })).toHaveLength(300)
  })

  test('links to the mail, else to the contact', () => {
    const contact = { id: 3, name: 'Bea' }
    const email = { id: 7, subject: '', folder: 'archived' }
    expect(aboutOf({ contact, email })).toMatchObject({
      title: 'No subject',
      to: '/emails?folder=archived&email=7',
    })
    expect(aboutOf({ contact, email: null })).toMatchObject({ title: 'Bea', to: '/contacts/3' })
    expect(aboutOf({ contact: null, email: null })).toBeNull()
  })
})
