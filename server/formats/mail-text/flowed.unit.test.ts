import { describe, expect, it } from 'vitest'
import { unflowed } from './flowed.ts'
import { parseMail } from './parse.ts'

const lines = (...all: string[]) => all.join('\r\n')

describe('format=flowed', () => {
  it.each<[why: string, flowed: string, plain: string, deletesSpace?: boolean]>([
    ['a paragraph over lines', lines('One ', 'two ', 'three', 'Four'), 'One two three\nFour'],
    [
      'a quote is no part of the line above',
      lines('Yes ', '> Shall we? ', '> Or not?'),
      'Yes \n> Shall we? Or not?',
    ],
    [
      'an answer below is no part of the quote',
      lines('> Shall we? ', 'Yes, on Monday.'),
      '> Shall we? \nYes, on Monday.',
    ],
    ['quotes of different depth', lines('>> One ', '> two ', '> three'), '>> One \n> two three'],
    [
      'stuffed lines',
      lines(' > is greater', ' From me', '  two blanks'),
      '> is greater\nFrom me\n two blanks',
    ],
    ['a blank that only breaks', lines('Donau', 'dampf ', 'schiff'), 'Donau\ndampfschiff', true],
    ['a blank that only breaks a quote', lines('> dampf ', '> schiff'), '> dampfschiff', true],
    ['a signature', lines('Yes ', '-- ', 'Ann'), 'Yes \n-- \nAnn'],
    [
      'a signature after a paragraph left open',
      lines('Yes ', 'or no ', '-- ', 'Ann'),
      'Yes or no \n-- \nAnn',
    ],
    ['a quoted signature', lines('> Ann ', '> -- ', '> Director'), '> Ann \n> -- \n> Director'],
    ['a signature where blanks only break', lines('Yes ', '-- ', 'Ann'), 'Yes\n-- \nAnn', true],
    ['empty quoted lines', lines('> One', '>', '> ', '> two'), '> One\n>\n>\n> two'],
    ['nothing', '', ''],
  ])('%s', (_, flowed, plain, deletesSpace = false) => {
    expect(unflowed(flowed, deletesSpace)).toBe(plain)
  })

  it('is undone in each part that says so, and in no other', async () => {
    const mail = (type: string) =>
      Buffer.from(
        lines(
          'From: Ann <ann@x.example>',
          `Content-Type: text/plain; ${type}`,
          '',
          '> Shall we? ',
          'Yes, ',
          'we shall.',
          '',
        ),
      )
    const flowed = await parseMail(mail('charset=utf-8; format=flowed'))
    expect(flowed.text).toBe('> Shall we? \nYes, we shall.')
    expect(flowed.snippet).toBe('Yes, we shall.')
    expect((await parseMail(mail('charset=utf-8; format=Flowed; delsp=YES'))).text).toBe(
      '> Shall we?\nYes,we shall.',
    )
    expect((await parseMail(mail('charset=utf-8'))).text).toBe('> Shall we? \nYes, \nwe shall.')
  })
})
