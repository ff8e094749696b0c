import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { ChatSource } from '#contract/assistant/assistant.ts'
import { Markdown } from './Markdown.tsx'
import { readMarkdown } from './read-markdown.ts'

const SOURCES: ChatSource[] = [
  { n: 1, kind: 'contact', id: 7, label: 'Ann Lee', path: '/contacts/7' },
  { n: 2, kind: 'page', id: null, label: 'Elsewhere', path: '//evil.example/x' },
  { n: 3, kind: 'page', id: null, label: 'Script', path: 'javascript:alert(1)' },
]

const shown = (text: string) =>
  renderToStaticMarkup(createElement(MemoryRouter, null, createElement(Markdown, { text, sources: SOURCES })))
const addresses = (html: string) =>
  [...html.matchAll(/(?:href|src|action|style)="([^"]*)"/g)].map(([, to]) => to)

test('shows the structure of an answer', () => {
  const html = shown(
    '# Numbers\n\n- **12** sent\n- 3 replies\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nlet a\n```',
  )
  expect(html).toContain('<strong class="font-semibold">12</strong> sent')
  expect(html).toMatch(/<li[^>]*>3 replies<\/li>/)
  expect(html).toMatch(/<td[^>]*text-right[^>]*>2<\/td>/)
  expect(html).toContain('<code>let a</code>')
})

test('a mark of a source leads to its page in Howl, and nowhere else', () => {
  const html = shown('Ann has replied [1]. See [2] and [3], not [4].')
  expect(addresses(html)).toEqual(['/contacts/7'])
  expect(html).toContain('aria-label="Source 1: Ann Lee"')
  expect(html).toContain('[2] and [3], not [4].')
})

test('HTML is text, pictures are not loaded, and an address shows where it leads', () => {
  const html = shown(
    '<img src=x onerror=alert(1)> <b>bold</b>\n\n<script>alert(1)</script>\n\n![cat](https://evil.example/p.png)\n\n' +
      '[your bank](https://evil.example/login) and <https://evil.example/auto> www.evil.example\n\n[a]: https://evil.example/def\n\n[click][a]',
  )
  expect(html).not.toMatch(/<(?:img|script|b|a)[\s>]/)
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(html).toContain('your bank (https://evil.example/login)')
  expect(html).toContain('cat (https://evil.example/p.png)')
  expect(html).toContain('click (https://evil.example/def)')
})

test('whatever is written, no element leads out of Howl', () => {
  const pieces = [
    '[',
    ']',
    '(',
    ')',
    '!',
    '<',
    '>',
    '"',
    'a href=',
    'img src=',
    'https://evil.example',
    'javascript:',
    '\n',
    '\n\n',
    '`',
    '|',
    '-',
    '# ',
    '1. ',
    '[1]',
    '[2]',
    '&lt;',
    '**',
    '_',
    '~~',
    'x',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      // The icon of "Copy code" is our own.
      const html = shown(parts.join('')).replaceAll(/<svg [^>]*class="lucide /g, '')
      expect(addresses(html).filter((to) => to !== '/contacts/7')).toEqual([])
      expect(html).not.toMatch(/<(?:img|script|iframe|form|style|link|svg|object)[\s>]/)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['emphasis that pairs with nothing', '*a_'],
  ['underscores', '_a_'],
  ['quotes within quotes', '>'],
  ['lists within lists', '1. '],
  ['brackets', '!['],
  ['addresses', 'a@'],
])('a hostile text is read at once: %s', (_, piece) => {
  const text = piece.repeat(20_000 / piece.length)
  const began = performance.now()
  expect(
    readMarkdown(text)
      .map(({ raw }) => raw)
      .join(''),
  ).toBe(text)
  // A browser that is busy for longer looks frozen. This took up to 13 s without the limits.
  expect(performance.now() - began).toBeLessThan(1000)
})
