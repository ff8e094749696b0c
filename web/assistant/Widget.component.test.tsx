import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { assistant } from '#contract/assistant/assistant.ts'
import { openPage } from '../../tests/support/component-page.tsx'
import { emptyAccount } from '../../tests/support/empty-account.ts'
import { fakeApi } from '../../tests/support/fake-api.ts'
import {
  box,
  button,
  fakeChat,
  log,
  openWidget,
  propose,
  said,
  widget,
} from '../../tests/support/fake-chat.ts'
import { expectSound } from '../../tests/support/sound-part.ts'

test.each(['/pricing', '/', '/login'])('is on the public page %s and asks to log in', async (address) => {
  const api = fakeApi()
  openPage(address, { visitor: true })
  await openWidget()
  await expect.element(log).toMatchTextContent(/Please log in to use Wolfy/)
  await box.fill('What are my numbers?')
  await userEvent.keyboard('{Enter}')
  await expect.element(box).toHaveValue('What are my numbers?')
  await expect.element(log.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  expect(api.calls(assistant.chat)).toEqual([])
  await expectSound()
})

test('closes by Esc, and the button has the focus again', async () => {
  fakeChat(emptyAccount())
  openPage('/contacts')
  await openWidget()
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(widget).not.toBeInTheDocument()
  await expect.element(button('Ask Wolfy')).toHaveFocus()
})

test('the mail page makes way for it where there is room, and it is used by keys alone', async () => {
  const api = emptyAccount()
  const { sessions, store } = fakeChat(api)
  api.answers(assistant.chat, ({ body }) => {
    const reply = store(body)
    const [session] = sessions
    if (session === undefined) throw new Error('There is no conversation')
    const made = propose(session)
    api.answers(assistant.approve, {
      ...made,
      status: 'approved',
      result: { label: 'Added', path: '/dashboard' },
    })
    return { ...reply, result: { ...reply.result, proposals: [made] } }
  })
  openPage('/emails')
  await expect.element(button('Ask Wolfy')).toBeVisible()
  const main = () => page.getByRole('main').element().getBoundingClientRect()
  await openWidget()
  await expect.element(box).toHaveFocus()
  expect(main().right).toBeLessThanOrEqual(widget.element().getBoundingClientRect().left)
  await userEvent.keyboard('Remind me{Enter}')
  const approve = widget.getByRole('button', { name: 'Approve' })
  await expect.element(approve).toBeVisible()
  for (let pressed = 0; pressed < 12 && document.activeElement !== approve.element(); pressed += 1)
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(approve).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(widget.getByRole('region', { name: 'Add the task' })).toMatchTextContent(/Done/)
  expect(api.calls(assistant.approve)).toHaveLength(1)
  await expectSound()
  await userEvent.keyboard('{Escape}')
  await expect.element(widget).not.toBeInTheDocument()
  expect(main().width).toBe(1440)
})

test('covers no button of the mail page on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  fakeChat(emptyAccount())
  openPage('/emails')
  await expect.element(button('Ask Wolfy')).toBeVisible()
  await page.getByRole('button', { name: 'Compose' }).first().click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
})

test('the header has room for it at every width', async () => {
  fakeChat(emptyAccount())
  onTestFinished(() => page.viewport(1440, 900))
  openPage('/contacts')
  for (const width of [320, 390, 768, 1024, 1440]) {
    await page.viewport(width, 800)
    await expect.element(button('Ask Wolfy')).toBeInViewport({ ratio: 1 })
    await expect.element(button('User menu')).toBeInViewport({ ratio: 1 })
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  }
})

test('shows the conversations and what was said on another page', async () => {
  fakeChat(emptyAccount())
  openPage('/contacts')
  await openWidget()
  await box.fill('What are my numbers?')
  await userEvent.keyboard('{Enter}')
  await expect.element(said('Works by rules')).toBeVisible()
  await expectSound()
  await widget.getByRole('button', { name: 'Chats', exact: true }).click()
  await expect.element(widget.getByRole('heading', { name: 'Select Chat Session' })).toBeVisible()
  await expectSound()
  await widget.getByRole('button', { name: 'What are my numbers?', exact: true }).click()
  await widget.getByRole('link', { name: 'Open the full page' }).click()
  await expect.poll(() => location.pathname).toBe('/simon')
  await expect.element(widget).not.toBeInTheDocument()
  await expect.element(said('Works by rules')).toBeVisible()
})
