import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { profile } from '#contract/accounts/profile.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { ProfileInformation } from './ProfileInformation.tsx'

const ADA = {
  ...blankReply(auth.me),
  id: 1,
  name: 'Ada Muster',
  full_name: 'Ada Muster',
  email: 'ada@howl.example',
  username: 'ada',
}
const save = page.getByRole('button', { name: 'Save profile' })

test('the name under every mail can be changed, but not left out', async () => {
  const api = fakeApi().answers(auth.me, ADA)
  api.answers(profile.update, ({ body }) => {
    const saved = { ...ADA, ...body } as typeof ADA
    api.answers(auth.me, saved)
    return saved
  })
  show(<ProfileInformation />)
  await page.getByLabelText('Full name').fill('')
  await save.click()
  await expect.element(page.getByText('Please enter your full name')).toBeVisible()
  expect(api.calls(profile.update)).toEqual([])
  await page.getByLabelText('Full name').fill('Ada Lovelace')
  await page.getByLabelText('Team size').selectOptions('6-20')
  await save.click()
  await expect.element(toast('Profile updated')).toBeVisible()
  await expect.element(page.getByLabelText('Full name')).toHaveValue('Ada Lovelace')
  // What another tab may have changed is not written over.
  expect(api.calls(profile.update)[0]?.body).toEqual({ full_name: 'Ada Lovelace', team_size: '6-20' })
})
