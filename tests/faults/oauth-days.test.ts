import { expect, test } from 'vitest'
import { oauthDays } from './oauth-days.ts'

test('three days by OAuth 2, an hour without the issuer, a consent withdrawn: no mail is lost or doubled', async () => {
  const tally = await oauthDays({ stepMinutes: 6 * 60 })
  expect(tally).toMatchObject({
    sent: 26,
    read: 26,
    missing: [],
    doubled: [],
    failed: 0,
    refreshesAtOnce: 1,
    reusedRefreshTokens: 0,
  })
  // Each step finds its token ended.
  expect(tally.refreshes).toBeGreaterThanOrEqual(20)
})
