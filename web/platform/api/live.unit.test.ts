import { expect, test } from 'vitest'
import { aiUsage } from '#contract/models/ai-usage.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { ownModel } from '#contract/models/own-model.ts'
import { writing } from '#contract/mail/writing.ts'
import { isStaleBy } from './live.ts'
import { waitBefore } from './live-stream.ts'

test('each topic makes its own answers stale', () => {
  expect(isStaleBy('emails', emails.list.path)).toBe(true)
  expect(isStaleBy('emails', contacts.list.path)).toBe(true)
  expect(isStaleBy('emails', outreach.current.path)).toBe(false)
  expect(isStaleBy('outreach', outreach.get.path)).toBe(true)
  expect(isStaleBy('contacts', emails.list.path)).toBe(false)
  // A model of one's own changes what the cards beside it say.
  for (const card of [ownModel.get, aiUsage.get, writing.settings])
    expect(isStaleBy('account', card.path)).toBe(true)
  expect(isStaleBy('import', contacts.list.path)).toBe(false)
})

test('the waits between attempts double, vary, and stop growing at half a minute', () => {
  expect([0, 1, 2, 3].map((failures) => waitBefore(failures, 1))).toEqual([500, 1000, 2000, 4000])
  expect(waitBefore(1000, 1)).toBe(30_000)
  expect(waitBefore(2, 0)).toBe(1000)
})
