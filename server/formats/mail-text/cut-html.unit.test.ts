import { expect, test } from 'vitest'
import { cutHtml } from './cut-html.ts'

const LIMITS = { chars: 2_000_000, tags: 40_000 }

test('HTML of many elements stays whole, also where they are never closed', () => {
  for (const html of ['<p>a'.repeat(20_000), '<td>a</td>'.repeat(15_000), '<br>'.repeat(30_000)])
    expect(cutHtml(html, LIMITS)).toBe(html)
})

test('HTML ends where its elements nest without end', () => {
  const cut = cutHtml(`Words${'<div>'.repeat(30_000)}`, LIMITS)
  expect(cut).toBe(`Words${'<div>'.repeat(1_000)}`)
  // Ends of elements that were never opened do not make it flatter.
  expect(cutHtml('<x></y>'.repeat(15_000), LIMITS).length).toBeLessThan(10_000)
})

test('HTML ends at so many characters and tags', () => {
  expect(cutHtml('abcdef', { chars: 3, tags: 5 })).toBe('abc')
  expect(cutHtml('<a><b><i>', { chars: 100, tags: 2 })).toBe('<a><b>')
})
