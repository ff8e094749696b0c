import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { writing } from '#contract/mail/writing.ts'
import { show, toast } from '../../tests/support/component-page.tsx'
import { fakeApi } from '../../tests/support/fake-api.ts'
import { ModelReading } from './ModelReading.tsx'

const tone = page.getByRole('switch', { name: 'Write in my tone' })
const replies = page.getByRole('switch', {
  name: 'Let the AI model read replies that the rules do not understand',
})

test('what the AI model may read is off, switched on, and says so where there is no model', async () => {
  const none = { learns_tone: false, reads_replies: false, model_available: false }
  const api = fakeApi().answers(writing.settings, none)
  api.answers(writing.saveSettings, ({ body }) => {
    const saved = { ...none, ...(body as Partial<typeof none>) }
    api.answers(writing.settings, saved)
    return saved
  })
  show(<ModelReading />)
  await expect.element(tone).not.toBeChecked()
  await expect.element(replies).not.toBeChecked()
  await expect.element(tone).toHaveAccessibleDescription(/No AI model is set up/)
  await tone.click()
  await expect.element(toast('Setting saved')).toBeVisible()
  await expect.element(tone).toBeChecked()
  await expect.element(replies).not.toBeChecked()
  api.fails(writing.saveSettings)
  await replies.click()
  await expect.element(toast('Failed to save the setting')).toBeVisible()
  await expect.element(replies).not.toBeChecked()
  await expect.element(tone).toBeChecked()
})
