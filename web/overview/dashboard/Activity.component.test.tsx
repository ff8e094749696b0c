import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { dashboard } from '#contract/overview/dashboard.ts'
import { show } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { Activity } from './Activity.tsx'

/** The days of March 2027 up to the 30th, with a thousand mails on the last. */
const MONTH = Array.from({ length: 30 }, (_, at) => ({
  day: `2027-03-${String(at + 1).padStart(2, '0')}`,
  sent: at === 29 ? 1000 : at,
  replies: at % 3,
  meetings: at === 3 ? 1 : 0,
}))

test('the activity is drawn, is read by key and as a table', async () => {
  fakeApi().answers(dashboard.activity, ({ query }) => MONTH.slice(-Number(query.days)))
  show(<Activity />)
  for (const [label, total] of [
    ['Emails sent', '1,406'],
    ['Replies', '30'],
    ['Meetings', '1'],
  ])
    await expect
      .element(page.getByRole('img', { name: new RegExp(`^${label}: ${total} in 30 days`) }))
      .toBeVisible()
  await page.getByRole('radio', { name: '7 days' }).click()
  await expect.element(page.getByRole('img', { name: /^Emails sent: 1,153 in 7 days/ })).toBeVisible()

  const day = page.getByRole('slider', { name: 'Day' })
  day.element().focus()
  await userEvent.keyboard('{End}')
  await expect
    .element(page.getByRole('region', { name: 'Activity' }))
    .toMatchTextContent('Tue, Mar 30: 1,000 sent')
  await userEvent.keyboard('{Home}')
  await expect.element(day).toHaveAttribute('aria-valuetext', expect.stringMatching(/^Wed, Mar 24: 23 sent/))

  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect.element(page.getByRole('row')).toHaveLength(8)
  const heads = page.getByRole('columnheader').elements()
  expect(heads.map(({ textContent }) => textContent)).toEqual(['Day', 'Emails sent', 'Replies', 'Meetings'])
  const newest = page.getByRole('row').nth(1)
  await expect.element(newest.getByRole('cell').first()).toMatchTextContent(/^1,000$/)
  await expectSound('section')
  await page.getByRole('button', { name: 'Show as chart' }).click()
  await expect.element(day).toBeVisible()
})
