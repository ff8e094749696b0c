import { describe, expect, it } from 'vitest'
import { baseSubject, forwardSubject, referencedIds, replyHeaders, replySubject } from './threading.ts'

it('referencedIds: newest first, each once, at most 100', () => {
  expect(referencedIds({ inReplyTo: ['c'], references: ['a', 'b', 'c'] })).toEqual(['c', 'b', 'a'])
  expect(
    referencedIds({ inReplyTo: [], references: Array.from({ length: 500 }, (_, n) => `${n}`) }),
  ).toHaveLength(100)
})

describe('baseSubject', () => {
  it.each([
    'Offer',
    'Re: Offer',
    'RE: Re: re:Offer',
    'Fwd: Offer',
    'AW: WG: Offer',
    'SV: Offer',
    'Antw: Offer',
    'RE[2]: Offer',
    'Re (3): Offer',
    '[team] Re: Offer',
    'Re: [team] Offer',
    'Re: [team] Re: Offer (fwd)',
    '[Fwd: Offer]',
    'TR: Offer',
    'RV: Offer',
    'RIF: I: Offer',
    '回复：Offer',
    '  Re:   Offer ',
    'Odp: Offer',
    'Ynt: Offer',
    'Отв: Offer',
    'ENC: Offer',
  ])('%s', (subject) => {
    expect(baseSubject(subject)).toBe('Offer')
  })

  it.each(['Regarding us', 'Read: this', 'Real: x', 'Report: March', 'Information: x', 'Trip: Rome'])(
    'leaves %s alone',
    (subject) => {
      expect(baseSubject(subject)).toBe(subject)
    },
  )

  it('keeps a tag that is all there is', () => {
    expect(baseSubject('Re: [urgent]')).toBe('[urgent]')
  })

  it('ends on a loop of marks', () => {
    expect(baseSubject('Re: '.repeat(10_000)).length).toBeLessThan(50_000)
  })
})

it('replies carry one "Re: ", forwards one "Fwd: "', () => {
  expect(replySubject('AW: RE: Re[2]: Offer')).toBe('Re: Offer')
  expect(replySubject('Fwd: Offer')).toBe('Re: Fwd: Offer')
  expect(replySubject('[team] Offer')).toBe('Re: [team] Offer')
  expect(replySubject('')).toBe('Re:')
  expect(forwardSubject('WG: Fwd: Re: Offer')).toBe('Fwd: Re: Offer')
  expect(replySubject('a\r\nBcc: b')).toBe('Re: a Bcc: b')
})

describe('replyHeaders (RFC 5322 3.6.4)', () => {
  it('takes the references and adds the id', () => {
    expect(replyHeaders({ messageId: 'c', inReplyTo: ['b'], references: ['a', 'b'] })).toEqual({
      inReplyTo: 'c',
      references: ['a', 'b', 'c'],
    })
  })
  it('takes a single In-Reply-To where there are none', () => {
    expect(replyHeaders({ messageId: 'c', inReplyTo: ['b'], references: [] })).toEqual({
      inReplyTo: 'c',
      references: ['b', 'c'],
    })
    expect(replyHeaders({ messageId: 'c', inReplyTo: ['a', 'b'], references: [] })).toEqual({
      inReplyTo: 'c',
      references: ['c'],
    })
  })
  it('keeps the first and the newest of a long thread', () => {
    const { references } = replyHeaders({
      messageId: 'new',
      inReplyTo: [],
      references: Array.from({ length: 300 }, (_, n) => `${n}`),
    })
    expect(references).toHaveLength(20)
    expect([references[0], references.at(-2), references.at(-1)]).toEqual(['0', '299', 'new'])
  })
  it('has nothing to answer without an id', () => {
    expect(replyHeaders({ inReplyTo: [], references: ['a'] })).toEqual({ references: ['a'] })
  })
})
