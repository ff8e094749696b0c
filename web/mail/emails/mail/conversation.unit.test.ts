import { describe, expect, test } from 'vitest'
import type { Email } from '#contract/mail/emails.ts'
import { conversationParts } from './conversation.ts'

const mails = (count: number) => Array.from({ length: count }, (_, id) => ({ id }) as Email)
const shown = (count: number, open: number[], all = false) =>
  conversationParts(mails(count), (mail) => open.includes(mail.id), all).map((part) =>
    part.kind === 'mail' ? part.mail.id : `+${part.mails.length}`,
  )

describe('a conversation', () => {
  test.each([
    ['alone', 1, [0], [0]],
    ['a few', 4, [3], [0, 1, 2, 3]],
    ['many before', 10, [9], [0, '+7', 8, 9]],
    ['many around', 12, [5], [0, '+3', 4, 5, 6, '+4', 11]],
    ['two open', 7, [0, 6], [0, 1, '+3', 5, 6]],
  ])('%s', (_name, count, open, expected) => {
    expect(shown(count, open)).toEqual(expected)
  })

  test('shows everything on request', () => {
    expect(shown(10, [9], true)).toHaveLength(10)
  })
})
