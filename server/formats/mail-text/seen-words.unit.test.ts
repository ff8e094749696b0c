import { describe, expect, it } from 'vitest'
import { seenText } from './seen-text.ts'
import { seenWords } from './seen-words.ts'

describe('the words that a person sees', () => {
  it.each([
    ['<p style="display:none">x</p>a', 'a'],
    ['<p style="DISPLAY : none !important">x</p>a', 'a'],
    ['<p style="color:#fff">x</p>a', 'a'],
    ['<p style="color:#fff;background:#fff">x</p>a', 'a'],
    ['<font color="white">x</font>a', 'a'],
    ['<span style="font-size:0.0px">x</span>a', 'a'],
    ['<span style="font-size:1px">x</span>a', 'a'],
    ['<!-- x -->a<style>x</style><img alt="x" src="cid:x">', 'a'],
    ['<p data-look="filled" style="color:white">x</p>a', 'a'],
    ['<p hidden>x<b>x</b></p>a', 'a'],
    // Seen, although they come near to it.
    ['<span style="font-size:0.9em">a</span>', 'a'],
    ['<span style="font-size:10px;line-height:1">a</span>', 'a'],
    [
      '<table><tr><td bgcolor="#003366"><a style="color:#ffffff" href="https://x.example">Pay</a></td></tr></table>',
      'Pay',
    ],
    ['<div style="background-color:navy"><p style="color:white">a</p></div>', 'a'],
    ['<p style="color:#fff;background:#036">a</p>', 'a'],
    ['<blockquote>a</blockquote>', '> a'],
    ['<h1>Title</h1><p>a &lt;b&gt;</p>', 'Title\n\na <b>'],
  ])('of %j are %j', (html, words) => {
    expect(seenWords(html)).toBe(words)
  })
})

describe('text without what nobody sees', () => {
  it.each([
    ['a\u202Eb\u2066c\u200Bd\u00ADe\uFEFF\u{E0041}f\u{E0100}', 'abcdef'],
    ['\u3164\u115F\uFFA0a', 'a'],
    ['a\u200Db', 'ab'],
    ['👨\u200D👩\u200D👧 ❤\uFE0F\u200D🔥 1\uFE0F\u20E3', '👨\u200D👩\u200D👧 ❤\uFE0F\u200D🔥 1\uFE0F\u20E3'],
    ['می\u200Cخواهم', 'می\u200Cخواهم'],
    ['می\u200C\u200C\u200Dخواهم', 'میخواهم'],
    ['שלום Grüße 你好\n\ttab', 'שלום Grüße 你好\n\ttab'],
  ])('of %j is %j', (text, seen) => {
    expect(seenText(text)).toBe(seen)
  })
})
