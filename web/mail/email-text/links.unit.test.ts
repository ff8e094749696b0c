import { expect, test } from 'vitest'
import { linkParts } from './links.ts'

const hrefs = (text: string) => linkParts(text).flatMap((part) => (part.kind === 'link' ? [part.href] : []))
const joined = (text: string) =>
  linkParts(text)
    .map((part) => part.text)
    .join('')

test('text and links add up to the original', () => {
  const text = 'See https://a.example/x?y=1, or (http://b.example).\nBye'
  expect(hrefs(text)).toEqual(['https://a.example/x?y=1', 'http://b.example/'])
  expect(joined(text)).toBe(text)
})

test.each([
  ['https://en.example/wiki/Moon_(film)', 'https://en.example/wiki/Moon_(film)'],
  ['<https://a.example/>', 'https://a.example/'],
  ['https://a.example/?!', 'https://a.example/'],
])('%s becomes a link to %s', (text, href) => {
  expect(hrefs(text)).toEqual([href])
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://',
  'xhttps://a.example',
])('%s stays text', (text) => {
  expect(hrefs(text)).toEqual([])
  expect(joined(text)).toBe(text)
})

test('shows the host that a link really leads to', () => {
  const hosts = (text: string) => linkParts(text).flatMap((part) => (part.kind === 'link' ? [part.host] : []))
  expect(hosts('https://bank.example@evil.example/')).toEqual(['evil.example'])
  expect(hosts('https://аpple.example/')).toEqual(['xn--pple-43d.example'])
})

test('reads a hostile text quickly', () => {
  const text = `https://a.example/${')'.repeat(500_000)} ${'https://b.example '.repeat(20_000)}`
  const begun = performance.now()
  expect(joined(text)).toBe(text)
  expect(hrefs(text)).toHaveLength(500)
  expect(performance.now() - begun).toBeLessThan(1000)
})
