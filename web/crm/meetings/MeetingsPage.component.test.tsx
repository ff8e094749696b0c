import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { type Meeting, meeting, meetings } from '#contract/crm/meetings.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'

const MARCH = '/meetings?month=2027-03'
/** Monday, March 8, 2027 at nine in Berlin. */
const REVIEW: Meeting = blank(meeting, {
  id: 5,
  title: 'Review',
  start_time: '2027-03-08T08:00:00Z',
  end_time: '2027-03-08T09:00:00Z',
  type: 'phone',
  status: 'scheduled',
  attendees: ['bea@far.example'],
})

const form = page.getByRole('dialog', { name: 'Schedule New Meeting' })
const editForm = page.getByRole('dialog', { name: 'Edit Meeting' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const review = () => page.getByRole('grid').getByRole('button', { name: /^Edit Review/ })
const submit = () => form.getByRole('button', { name: 'Schedule Meeting' }).click()

const apiWith = (...rows: Meeting[]): FakeApi =>
  fakeApi().answers(meetings.list, rows).answers(mailboxes.get).answers(contacts.list)

test('the form says what each kind of meeting needs', async () => {
  const api = apiWith().answers(meetings.add, REVIEW)
  openPage(MARCH)
  await button('Schedule Meeting').click()
  await form.getByLabelText('Start time').fill('')
  await form.getByLabelText('End time').fill('')
  await submit()
  for (const sentence of [
    'Please enter a title',
    'Please choose a start time',
    'Please choose an end time',
    'Please select a location for the in-person meeting',
  ])
    await expect.element(form.getByText(sentence, { exact: true })).toBeVisible()
  await expect.element(form.getByLabelText('Title')).toHaveFocus()

  await form.getByLabelText('Title').fill('Call')
  await expect.element(form.getByText('Please enter a title')).not.toBeInTheDocument()
  await form.getByLabelText('Start time').fill('2027-03-08T09:00')
  await form.getByLabelText('End time').fill('2027-03-08T08:00')
  await expect.element(form.getByText('Please choose an end time after the start time')).toBeVisible()
  await form.getByLabelText('End time').fill('2027-03-08T10:00')

  await form.getByLabelText('Location').fill('Room 3')
  await form.getByLabelText('Type').selectOptions('video')
  await expect.element(form.getByLabelText('Location')).not.toBeInTheDocument()
  const missing = 'Please provide the meeting link for the video call'
  await submit()
  await expect.element(form.getByText(missing, { exact: true })).toBeVisible()
  await form.getByLabelText('Meeting link').fill('zoom')
  await submit()
  await expect.element(form.getByText(`${missing}. This is not a link:`)).toBeVisible()
  await form.getByLabelText('Meeting link').fill('https://zoom.us/j/1?pwd=2&utm_source=mail')
  await expect.element(form.getByText('Saved as https://zoom.us/j/1?pwd=2')).toBeVisible()
  // Another kind forgets what belonged to this one.
  await form.getByLabelText('Type').selectOptions('phone')
  await expect.element(form.getByLabelText('Meeting link')).not.toBeInTheDocument()
  await form.getByLabelText('Type').selectOptions('in-person')
  await expect.element(form.getByLabelText('Location')).toHaveValue('')
  await form.getByLabelText('Type').selectOptions('video')
  await expect.element(form.getByLabelText('Meeting link')).toHaveValue('')
  await form.getByLabelText('Type').selectOptions('phone')

  await form.getByLabelText('Attendees').fill('Bea')
  await submit()
  await expect.element(form.getByText('Please enter valid email addresses: “Bea” is none')).toBeVisible()
  await form.getByLabelText('Attendees').fill('')
  await submit()
  await expect.element(toast('Meeting scheduled')).toBeVisible()
  expect(api.calls(meetings.add).map(({ body }) => body)).toMatchObject([
    { title: 'Call', type: 'phone', location: '', meeting_link: '' },
  ])
})

test('a start that is typed key by key does not move the end', async () => {
  apiWith()
  openPage(MARCH)
  await button('Schedule Meeting').click()
  await form.getByLabelText('Start time').fill('2027-03-08T09:00')
  await form.getByLabelText('End time').fill('2027-03-08T10:00')
  // The year is 2 before it is 2027.
  form.getByLabelText('Start time').element().focus()
  await userEvent.keyboard('03082027{ArrowRight}0915A')
  await expect.element(form.getByLabelText('Start time')).toHaveValue('2027-03-08T09:15')
  await expect.element(form.getByLabelText('End time')).toHaveValue('2027-03-08T10:00')
})

test('what has not changed is not saved', async () => {
  const api = apiWith(REVIEW)
  openPage(MARCH)
  await review().click()
  const save = editForm.getByRole('button', { name: 'Save update' })
  await editForm.getByLabelText('Attendees').fill(' BEA@far.example , ')
  await expect.element(save).not.toBeInTheDocument()
  await editForm.getByLabelText('Title').fill('Other')
  await expect.element(save).toBeVisible()
  await editForm.getByLabelText('Title').fill('Review')
  await expect.element(save).not.toBeInTheDocument()
  expect(api.calls(meetings.update)).toEqual([])
})

test('a failure is told where it was asked for, and nothing typed is lost', async () => {
  apiWith(REVIEW)
    .responds(meetings.update, () => new Response('no', { status: 500 }))
    .responds(meetings.remove, () => new Response('no', { status: 500 }))
    .responds(meetings.add, () => new Response('no', { status: 500 }))
  openPage(MARCH)
  await review().click()
  await editForm.getByLabelText('Title').fill('Other')
  await editForm.getByRole('button', { name: 'Save update' }).click()
  await button('Save changes').click()
  await expect.element(editForm.getByText('Failed to update meeting')).toBeVisible()
  await expect.element(editForm.getByLabelText('Title')).toHaveValue('Other')
  await editForm.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('grid').getByRole('button', { name: 'Delete Review' }).click()
  await button('Delete').click()
  await expect.element(page.getByText('Failed to delete meeting')).toBeVisible()
  await button('Cancel').click()

  await button('Schedule Meeting').click()
  await form.getByLabelText('Title').fill('x')
  await form.getByLabelText('Type').selectOptions('phone')
  await submit()
  await expect.element(form.getByText('Failed to schedule meeting')).toBeVisible()
})

test('a list that cannot be loaded is asked for again', async () => {
  const api = apiWith().responds(meetings.list, () => new Response('no', { status: 500 }))
  openPage('/meetings')
  await expect.element(page.getByText('Failed to load meetings')).toBeVisible()
  api.answers(meetings.list)
  await button('Try again').click()
  await expect.element(page.getByRole('grid')).toBeVisible()
})

test('a meeting at the same time is told of, and may stand', async () => {
  const api = apiWith(REVIEW).answers(meetings.add, REVIEW)
  openPage(MARCH)
  await button('Schedule Meeting').click()
  await form.getByLabelText('Title').fill('Other')
  await form.getByLabelText('Type').selectOptions('phone')
  await form.getByLabelText('Start time').fill('2027-03-08T10:00')
  await form.getByLabelText('End time').fill('2027-03-08T11:00')
  await expect.element(form.getByText('Overlaps with')).not.toBeInTheDocument()
  await form.getByLabelText('Start time').fill('2027-03-08T09:30')
  await expect.element(form.getByText('Overlaps with “Review” (09:00 – 10:00)')).toBeVisible()
  await submit()
  await expect.element(toast('Meeting scheduled')).toBeVisible()
  expect(api.calls(meetings.add)).toHaveLength(1)
})

test('contacts are suggested as attendees', async () => {
  const bea = blank(contact, { id: 9, name: 'Bea Berg', email: 'bea@far.example' })
  const api = apiWith()
    .answers(contacts.list, ({ query }) => (query.search === 'berg' ? [bea] : []))
    .answers(meetings.add, REVIEW)
  openPage(MARCH)
  await button('Schedule Meeting').click()
  await form.getByLabelText('Attendees').click()
  await userEvent.keyboard('berg')
  await expect.element(page.getByRole('option', { name: /Bea Berg/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(form.getByLabelText('Attendees')).toHaveValue('Bea Berg <bea@far.example>, ')
  await form.getByLabelText('Title').fill('With Bea')
  await form.getByLabelText('Type').selectOptions('phone')
  await submit()
  await expect.element(toast('Meeting scheduled')).toBeVisible()
  expect(api.calls(meetings.add)[0]?.body?.attendees).toEqual(['bea@far.example'])
})

test('the view and the month of the calendar are kept, however quickly both are chosen', async () => {
  apiWith()
  openPage('/meetings')
  await expect.element(page.getByRole('grid')).toBeVisible()
  document.querySelector<HTMLElement>('[aria-label="Next month"]')?.click()
  const views = [...document.querySelectorAll<HTMLElement>('label, button')]
  views.find(({ textContent }) => textContent === 'List')?.click()
  await expect.poll(() => location.search).toContain('view=list')
  expect([...new URLSearchParams(location.search).keys()].sort()).toEqual(['month', 'view'])
})

test('the calendar is used by keys alone', async () => {
  apiWith(REVIEW)
  openPage(MARCH)
  await expect.element(review()).toBeVisible()
  const day = (date: string) =>
    page.elementLocator(document.querySelector(`[data-day="${date}"]`) ?? document.body)
  const keys = (text: string) => userEvent.keyboard(text)
  button('Next month').element().focus()
  await userEvent.tab()
  await expect.element(day('2027-03-01')).toHaveFocus()
  await keys('{ArrowDown}')
  await expect.element(day('2027-03-08')).toHaveFocus()
  // Into the day, and back.
  await userEvent.tab()
  await expect.element(review()).toHaveFocus()
  await keys('{Enter}')
  await expect.element(editForm).toBeVisible()
  await keys('{Escape}')
  await expect.element(review()).toHaveFocus()
  await keys('{Escape}')
  await expect.element(day('2027-03-08')).toHaveFocus()

  await keys('{End}')
  await expect.element(day('2027-03-13')).toHaveFocus()
  await keys('{Home}')
  await expect.element(day('2027-03-07')).toHaveFocus()
  await keys('{ArrowRight}{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Monday, March 8, 2027' })).toBeVisible()
  await keys('{Escape}')
  await expect.element(day('2027-03-08')).toHaveFocus()
  await keys('{ArrowRight}{Enter}')
  await expect.element(form.getByLabelText('Start time')).toHaveValue('2027-03-09T09:00')
  await keys('{Escape}')
  await expect.element(day('2027-03-09')).toHaveFocus()
  await keys('{PageDown}')
  await expect.element(page.getByRole('heading', { name: 'April 2027' })).toBeVisible()
  await expect.poll(() => document.activeElement?.getAttribute('data-day')).toBe('2027-04-09')
  await keys('{PageUp}{ArrowUp}{ArrowUp}')
  await expect.element(page.getByRole('heading', { name: 'February 2027' })).toBeVisible()
})
