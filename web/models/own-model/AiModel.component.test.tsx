import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { MODEL_CHECKS, type ModelSettings, type ModelTest, ownModel } from '#contract/models/own-model.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { AiModel } from './AiModel.tsx'

const NONE: ModelSettings = { answers: 'none', house: null, own: null, finds: true }
const OWN: ModelSettings = {
  ...NONE,
  answers: 'own',
  own: {
    base_url: 'http://localhost:11434/v1',
    model: 'qwen3',
    api_key_set: true,
    saved_at: '2027-03-08T08:00:00Z',
    problem: null,
  },
}
const OLLAMA = { name: 'Ollama', base_url: 'http://localhost:11434/v1' }

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name })
const check = (text: string) => page.getByRole('listitem').filter({ hasText: text })
const tested = (ok: boolean, ...details: string[]): ModelTest => ({
  checks: MODEL_CHECKS.map((name, at) => ({ name, ok, detail: details[at] ?? '' })),
  first_words_ms: ok ? 120 : null,
})

/** The card of a user without a model of their own. */
async function withCard(): Promise<FakeApi> {
  const api = fakeApi().answers(ownModel.get, NONE).answers(ownModel.find)
  show(<AiModel />)
  await expect.element(page.getByText('No AI model is set up.')).toBeVisible()
  return api
}

async function openForm(): Promise<void> {
  await button('Use a model of your own').click()
  await expect.element(field('Address')).toHaveFocus()
}

test('says beside each field what is wrong, and loses nothing', async () => {
  const api = await withCard()
  await openForm()
  api.refuses(ownModel.save, 400, 'Please enter the address', {
    fields: { base_url: 'Please enter the address', model: 'Please choose or enter the model' },
  })
  await button('Save').click()
  await expect.element(page.getByText('Please enter the address')).toBeVisible()
  await expect.element(page.getByText('Please choose or enter the model')).toBeVisible()
  await field('Address').fill('api.example.com')
  await field('Key').fill('two words')
  await field('Model').fill('tiny')
  api.refuses(ownModel.test, 400, 'Please begin the address with https:// or http://', {
    fields: {
      base_url: 'Please begin the address with https:// or http://',
      api_key: 'A key has only letters, digits and signs, without blanks',
    },
  })
  await button('Test').click()
  await expect.element(page.getByText('Please begin the address with https:// or http://')).toBeVisible()
  await expect
    .element(page.getByText('A key has only letters, digits and signs, without blanks'))
    .toBeVisible()
  await expect.element(field('Address')).toHaveFocus()
  await expect.element(field('Key')).toHaveValue('two words')
  await button('Cancel').click()
  await expect.element(button('Use a model of your own')).toBeVisible()
})

test('names what a model cannot do, until something else is typed', async () => {
  const refused = 'The server refuses the key. Check it. (bad key)'
  const api = await withCard()
  await openForm()
  await field('Address').fill(OLLAMA.base_url)
  await field('Model').fill('tiny')
  api
    .answers(ownModel.test, tested(false, refused, 'Not tried, as it did not answer.'))
    .answers(ownModel.models, { models: [], detail: refused })
  await button('Test').click()
  await expect.element(check('Answers: no')).toMatchTextContent(refused)
  await expect.element(check('Streams: no')).toMatchTextContent('Not tried, as it did not answer.')
  await expectSound('section')
  // What was tested no longer stands there.
  await field('Model').fill('other')
  await expect.element(check('Answers: no')).not.toBeInTheDocument()
  await button('Show models').click()
  await expect.element(page.getByText(refused)).toBeVisible()
})

test('that is found on this computer is used with one click; its saved key stays at its address', async () => {
  const api = fakeApi()
    .answers(ownModel.get, NONE)
    .answers(ownModel.find, [
      { ...OLLAMA, models: ['a-model-with-a-long-name:70b-instruct-q4', 'qwen3'] },
      { name: 'LM Studio', base_url: 'http://localhost:1234/v1', models: ['gemma'] },
    ])
    .answers(ownModel.save, () => {
      api.answers(ownModel.get, OWN)
      return OWN
    })
  show(<AiModel />)
  await expect.element(page.getByRole('heading', { name: 'Found on this computer' })).toBeVisible()
  await expectSound('section')
  await page.getByRole('combobox', { name: 'Model of Ollama' }).selectOptions('qwen3')
  await button('Use it: Ollama').click()
  await expect.element(toast('qwen3 answers from now on')).toBeVisible()
  await expect.element(page.getByText('Your own model', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Found on this computer')).not.toBeInTheDocument()
  expect(api.calls(ownModel.save).map(({ body }) => body)).toMatchObject([
    { base_url: OLLAMA.base_url, model: 'qwen3' },
  ])

  await expect.element(page.getByText('Saved – leave empty to keep it')).toBeVisible()
  await expectSound('section')
  await field('Address').fill('http://localhost:1/v1')
  await expect.element(page.getByText('The saved key is only for the saved address.')).toBeVisible()
})
