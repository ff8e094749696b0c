import { expect, it } from 'vitest'
import { audienceName } from './run-audience.ts'

it('says whom a run writes to', () => {
  expect(audienceName({ filter: { tag: 'fair' } }, 42)).toBe('To 42 contacts tagged fair')
  expect(audienceName({ filter: {} }, 1200)).toBe('To all 1,200 contacts')
  expect(audienceName({ contact_ids: [7] }, 1)).toBe('To 1 contact of your choice')
  expect(audienceName({ filter: { status: 'all', never_mailed: 'true', company: 'Muster' } }, 3)).toBe(
    'To 3 contacts at Muster, never mailed',
  )
  expect(audienceName({ filter: { status: 'follow_up_2', last_contact_from: '2026-03-01' } }, 2)).toBe(
    'To 2 contacts with status follow up 2, last contacted since 2026-03-01',
  )
})

it('is cut where a filter is long, without half a character', () => {
  const name = audienceName({ filter: { search: '🎪'.repeat(100), company: 'x'.repeat(151) } }, 5)
  expect(name.length).toBeLessThanOrEqual(200)
  expect(name.isWellFormed()).toBe(true)
  expect(name).toMatch(/…$/)
})
