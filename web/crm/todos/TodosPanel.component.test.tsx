import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { todo, todos } from '#contract/crm/todos.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { TodosPanel } from './TodosPanel.tsx'

const BEA = blank(todo, { id: 4, title: 'Call Bea', priority: 'medium' })
const NOW = new Date('2026-11-23T10:00:00Z')
const row = () => page.getByRole('listitem').filter({ hasText: 'Call Bea' })

test('a task that cannot be ticked off says so', async () => {
  fakeApi().answers(todos.list, [BEA]).fails(todos.toggle)
  show(<TodosPanel now={NOW} />)
  await row().getByRole('checkbox').click()
  await expect.element(toast('Failed to toggle todo')).toBeVisible()
  await expect.element(row().getByRole('checkbox')).not.toBeChecked()
})

test('tasks that cannot be loaded are asked for again', async () => {
  const api = fakeApi().refuses(todos.list, 500, '')
  show(<TodosPanel now={NOW} />)
  await expect.element(page.getByText('Failed to load todos')).toBeVisible()
  api.answers(todos.list, [BEA])
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row()).toBeVisible()
})

test('a task without a title is not sent', async () => {
  const api = fakeApi().answers(todos.list)
  show(<TodosPanel now={NOW} />)
  await expect.element(page.getByText('No tasks found')).toBeVisible()
  await page.getByRole('button', { name: 'Add Task' }).click()
  const adding = page.getByRole('dialog', { name: 'Add New Task' })
  await expect.element(adding.getByLabelText('Priority')).toHaveValue('medium')
  await adding.getByRole('button', { name: 'Add Task' }).click()
  await expect.element(adding.getByText('Please enter a title')).toBeVisible()
  await expectSound('[role=dialog]')
  expect(api.calls(todos.add)).toEqual([])
})

test('what another tab has changed of a task is not written over', async () => {
  const api = fakeApi().answers(todos.list, [BEA]).answers(todos.update, BEA)
  show(<TodosPanel now={NOW} />)
  await page.getByRole('button', { name: `Edit ${BEA.title}` }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Task' })
  await edit.getByLabelText('Priority').selectOptions('High')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect.element(toast('Todo updated')).toBeVisible()
  expect(api.calls(todos.update).map(({ body }) => body)).toEqual([{ priority: 'high' }])
})

test('tasks are searched, filtered and sorted by the server', async () => {
  const api = fakeApi().answers(todos.list, ({ query }) => (query.search === 'nothing like it' ? [] : [BEA]))
  show(<TodosPanel now={NOW} />)
  await expect.element(row()).toBeVisible()
  await page.getByLabelText('Sort tasks').selectOptions('Due date')
  await page.getByLabelText('Filter by priority').selectOptions('Low')
  await page.getByLabelText('Filter by status').selectOptions('Pending')
  await page.getByLabelText('Search tasks').fill('bread')
  await expect
    .poll(() => api.calls(todos.list).at(-1)?.query)
    .toMatchObject({ sort: 'due_date', priority: 'low', status: 'pending', search: 'bread' })
  for (const sort of ['priority', 'title', 'created']) {
    await page.getByLabelText('Sort tasks').selectOptions(sort)
    await expect.poll(() => api.calls(todos.list).at(-1)?.query.sort).toBe(sort)
  }
  await page.getByLabelText('Search tasks').fill('nothing like it')
  await expect.element(page.getByText('No tasks found')).toBeVisible()
  await expect.element(page.getByText('Nothing matches this search and these filters.')).toBeVisible()
})

test('a task says when it was due, how it goes on, and what it is about', async () => {
  const words = Array.from({ length: 25 }, (_, at) => `word${at + 1}`).join(' ')
  fakeApi().answers(todos.list, [
    {
      ...BEA,
      description: words,
      due_date: '2020-03-09',
      priority: 'high',
      contact_id: 7,
      contact: { id: 7, name: 'Bea Berg' },
    },
  ])
  show(<TodosPanel now={NOW} />)
  await expect.element(row()).toMatchTextContent('Mar 09, 2020 (Overdue)')
  await expect.element(row()).toMatchTextContent('word20…')
  await expectSound('section')
  await row().getByRole('button', { name: 'Read More' }).click()
  await expect.element(row()).toMatchTextContent('word25')
  await row().getByRole('button', { name: 'Read Less' }).click()
  await expect.element(row()).not.toMatchTextContent('word21')
  await expect
    .element(row().getByRole('link', { name: 'Contact: Bea Berg' }))
    .toHaveAttribute('href', '/contacts/7')
})
