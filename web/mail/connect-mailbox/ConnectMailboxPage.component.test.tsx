import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const said = page.getByRole('main').getByRole('alert')

test('a refused consent is told in the server’s words, and neither state nor code stay in the address', async () => {
  const sentence = 'Howl was not allowed to use your mailbox, so nothing was connected.'
  const api = fakeApi().refuses(mailboxOauth.finish, 400, sentence)
  openPage('/connect-mailbox?state=of-somebody-else&code=stolen&error=access_denied')
  await expect.element(said).toHaveTextContent(sentence)
  expect(location.pathname + location.search).toBe('/connect-mailbox')
  expect(api.calls(mailboxOauth.finish).map(({ body }) => body)).toEqual([
    { state: 'of-somebody-else', code: 'stolen', error: 'access_denied' },
  ])
  await expectSound()
})

test('an address that brings nothing connects nothing, and leads to the settings', async () => {
  const api = fakeApi()
  openPage('/connect-mailbox')
  await expect.element(said).toMatchTextContent('Nothing is being connected here.')
  await expect
    .element(page.getByRole('link', { name: 'Open Profile & Settings' }))
    .toHaveAttribute('href', '/profile')
  expect(api.calls(mailboxOauth.finish)).toEqual([])
})
