import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { auth } from '#contract/accounts/auth.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import { CONTRACT } from '#contract/contract.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { events } from '#contract/platform/events.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { type FakeApi, fakeApi } from './fake-api.ts'

/** What `fakeApi` answers itself. */
const ANSWERED: readonly Endpoint[] = [
  auth.me,
  adminAuth.me,
  events.stream,
  notifications.stream,
  leaving.mailPause,
  outreach.current,
]

/** A fake server on which any page can be opened: whatever a page reads is empty. */
export function emptyAccount(): FakeApi {
  const api = fakeApi()
  for (const endpoint of CONTRACT.values())
    if (endpoint.method === 'GET' && endpoint.reply !== undefined && !ANSWERED.includes(endpoint))
      api.answers(endpoint)
  return api
}
