import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { todo, todos } from '#contract/crm/todos.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
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
  expect(api.calls(todos.add)).toEqual([])
})
