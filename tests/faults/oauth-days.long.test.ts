import { expect, test } from 'vitest'
import { oauthDays } from './oauth-days.ts'

test('three days by OAuth 2 in steps of 20 minutes: no mail is lost or doubled, one renewal at a time', async () => {
  const tally = await oauthDays({ stepMinutes: 20 })
  process.stdout.write(`${JSON.stringify(tally)}\n`)
  expect(tally).toMatchObject({
    missing: [],
    doubled: [],
    failed: 0,
    refreshesAtOnce: 1,
    reusedRefreshTokens: 0,
  })
})
