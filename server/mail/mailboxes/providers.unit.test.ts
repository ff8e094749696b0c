import { expect, test } from 'vitest'
import { PROVIDERS, providerOfDomain } from './providers.ts'

test('the table has no duplicate domain, and only ports that imply their encryption', () => {
  const domains = PROVIDERS.flatMap((provider) => provider.domains)
  expect(new Set(domains).size).toBe(domains.length)
  expect(domains.every((domain) => domain === domain.toLowerCase() && providerOfDomain(domain))).toBe(true)
  for (const { smtp, imap, plain } of PROVIDERS.filter((provider) => !provider.plain)) {
    expect([465, 587], smtp[0]).toContain(smtp[1])
    expect(imap[1]).toBe(993)
    expect(plain).toBeUndefined()
  }
  expect(PROVIDERS.length).toBeGreaterThanOrEqual(25)
})
