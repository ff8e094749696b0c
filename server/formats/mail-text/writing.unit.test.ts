import { describe, expect, it } from 'vitest'
import { withForwarded, withQuote } from './replies/quote.ts'
import { sanitizeOutgoingHtml } from './sanitize-outgoing.ts'
import { sniffType } from './sniff-type.ts'
import { tidySubject } from './threading.ts'

const ORIGINAL = {
  author: 'Bea',
  from: 'Bea <bea@x.example>',
  to: 'ada@x.example',
  subject: 'Prices',
  at: new Date('2026-11-03T09:12:00Z'),
  text: 'One\r\n\r\n> Two\r\n',
  html: null,
}

describe('a quote', () => {
  it('stands below, marked line by line, under who wrote it when by the writer’s clock', () => {
    expect(withQuote({ text: 'Yes\n\n', html: null }, ORIGINAL, 'Europe/Berlin')).toEqual({
      text: 'Yes\n\nOn 3 November 2026 at 10:12, Bea wrote:\n> One\n>\n>> Two',
      html: null,
    })
    const { html } = withQuote(
      { text: 'Yes', html: '<p>Yes</p>' },
      { ...ORIGINAL, author: '<b>Bea</b>' },
      'UTC',
    )
    expect(html).toMatch(
      /^<p>Yes<\/p><p>On 3 November 2026 at 09:12, &lt;b&gt;Bea&lt;\/b&gt; wrote:<\/p><blockquote/,
    )
    expect(html).toContain('<p>One</p><p>&gt; Two</p>')
  })

  it('lets a forwarded mail be as it was, HTML too where there is any', () => {
    const { text } = withForwarded({ text: 'See', html: null }, ORIGINAL, 'UTC')
    expect(text).toBe(
      'See\n\n---------- Forwarded message ----------\nFrom: Bea <bea@x.example>\nDate: 3 November 2026 at 09:12\nSubject: Prices\nTo: ada@x.example\n\nOne\r\n\r\n> Two\r\n',
    )
    const { html } = withForwarded(
      { text: 'See\nthis', html: null },
      { ...ORIGINAL, html: '<b>One</b>' },
      'UTC',
    )
    expect(html).toMatch(/^<p>See<br>this<\/p><p>-{10} Forwarded.*<div><b>One<\/b><\/div>$/s)
  })
})

describe('HTML that leaves', () => {
  it.each([
    ['<p style="text-align: center; background: url(//x)">a</p>', '<p style="text-align: center">a</p>'],
    ['<img src="cid:a@b" onerror="x()"><img src="javascript:x()">', '<img src="cid:a@b" />'],
    ['<a href="https://x.example/" id="top" class="c">x</a>', '<a href="https://x.example/">x</a>'],
    ['<a href="java\nscript:x()">x</a>', '<a>x</a>'],
    [
      '<ul><li>a</li></ul><pre><code>b</code></pre><hr>',
      '<ul><li>a</li></ul><pre><code>b</code></pre><hr />',
    ],
    ['<style>p{}</style><svg><p>x</p></svg><p>y', '<p>y</p>'],
    ['<base href="//x"><meta http-equiv="refresh"><link rel="x">a', 'a'],
  ])('%s', (given, clean) => {
    expect(sanitizeOutgoingHtml(given)).toBe(clean)
  })
})

describe('a file is what its bytes are', () => {
  it.each([
    ['a.png', '\x89PNG\r\n\x1a\n…', 'image/png'],
    ['a.png', '<script>alert(1)</script>', 'text/plain'],
    ['report.docx', 'PK\x03\x04…', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['report.exe', 'PK\x03\x04…', 'application/zip'],
    ['a.csv', 'a;b\nÄ;2', 'text/csv'],
    ['a.txt', 'a\0b', 'application/octet-stream'],
    ['a.txt', '\xff\xfe\xfd', 'application/octet-stream'],
    ['', '', 'text/plain'],
  ])('%s: %s', (name, bytes, type) => {
    const isBinary = /[\x80-\xff]/.test(bytes) && !bytes.includes('Ä')
    expect(sniffType(name, Buffer.from(bytes, isBinary ? 'latin1' : 'utf8'))).toBe(type)
  })
})

describe('several marks of a subject become one', () => {
  it.each([
    ['Re: AW: Re[2]: SV: Hello', 'Re: Hello'],
    ['FW: Fwd: WG: Hello', 'Fwd: Hello'],
    ['Hello', 'Hello'],
    ['回复：Hello', 'Re: Hello'],
    ['Regarding: you', 'Regarding: you'],
  ])('%s', (typed, tidy) => {
    expect(tidySubject(typed)).toBe(tidy)
  })
})
