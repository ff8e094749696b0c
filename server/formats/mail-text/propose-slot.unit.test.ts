import { describe, expect, it } from 'vitest'
import { freeSlot, freeSlots, slotWords, wantedTime } from './propose-slot.ts'

const BERLIN = 'Europe/Berlin'
// Wednesday, 14:00 in Berlin.
const NOW = new Date('2026-03-25T13:00:00Z')
const wanted = (text: string, zone = BERLIN, now = NOW) => wantedTime(text, now, zone).toISOString()

describe('the wanted time', () => {
  it.each([
    ['How about tomorrow at 3pm?', '2026-03-26T14:00:00.000Z'],
    ['Could we talk on Friday at 11:30?', '2026-03-27T10:30:00.000Z'],
    // Summer time begins in between.
    ['Does Monday at 9am suit you?', '2026-03-30T07:00:00.000Z'],
    ['Are you free on Monday?', '2026-03-30T08:00:00.000Z'],
    ['Passt Ihnen der 2. April um 15 Uhr?', '2026-04-02T13:00:00.000Z'],
    ['Call me at 3pm EST tomorrow', '2026-03-26T09:00:00.000Z'],
    ['Please call me in half an hour', '2026-03-25T13:30:00.000Z'],
    ['Could we talk an hour from now?', '2026-03-25T14:00:00.000Z'],
    // How long is not when.
    ['Could we meet for half an hour?', '2026-03-26T09:00:00.000Z'],
    ['I have 45 minutes for you', '2026-03-26T09:00:00.000Z'],
    ['A call of about 50 minutes, on Friday at 11:30?', '2026-03-27T10:30:00.000Z'],
    ['Est-ce possible pendant une heure ?', '2026-03-26T09:00:00.000Z'],
    // Nothing of use: the next working day at ten.
    ['Could we talk some time?', '2026-03-26T09:00:00.000Z'],
    ['We met on 3 January 2020 at 10:00', '2026-03-26T09:00:00.000Z'],
    ['Saturday at 11:00?', '2026-03-30T08:00:00.000Z'],
    ['Tomorrow at 9pm?', '2026-03-26T09:00:00.000Z'],
    ['On 31 February at 10:00?', '2026-03-26T09:00:00.000Z'],
    ['> How about tomorrow at 3pm?\n\nLet us talk.', '2026-03-26T09:00:00.000Z'],
  ])('of “%s”', (text, time) => {
    expect(wanted(text)).toBe(time)
  })

  it('is a day of the user, not of the machine', () => {
    expect(wanted('Let us talk', 'Pacific/Auckland')).toBe('2026-03-26T21:00:00.000Z')
    expect(wanted('Let us talk', 'America/Los_Angeles')).toBe('2026-03-26T17:00:00.000Z')
  })

  it('is found fast in whatever somebody writes', () => {
    const began = performance.now()
    wanted('tomorrow at '.repeat(100_000))
    wanted('1/2/3 4:5 '.repeat(100_000))
    expect(performance.now() - began).toBeLessThan(3000)
  })
})

describe('free slots', () => {
  const starts = (wanted: string, busy: { start: Date; end: Date }[]) =>
    freeSlots(new Date(wanted), BERLIN, busy).map(({ start }) => start.toISOString())

  it('are three on different working days, in the morning and in the afternoon', () => {
    // A Thursday; on Sunday the clocks change.
    expect(starts('2026-03-26T09:00:00Z', [])).toEqual([
      '2026-03-26T09:00:00.000Z',
      '2026-03-27T13:00:00.000Z',
      '2026-03-30T08:00:00.000Z',
    ])
  })

  it('never touch a meeting, and are fewer when there is no more room', () => {
    const friday = { start: new Date('2026-03-27T07:00:00Z'), end: new Date('2026-03-27T18:00:00Z') }
    expect(starts('2026-03-26T09:00:00Z', [friday])[1]).toBe('2026-03-30T07:00:00.000Z')
    const weeks = { start: new Date('2026-03-27T00:00:00Z'), end: new Date('2026-05-30T00:00:00Z') }
    expect(starts('2026-03-26T09:00:00Z', [weeks])).toEqual(['2026-03-26T09:00:00.000Z'])
  })
})

describe('a free slot', () => {
  const at = (text: string) => new Date(text)

  it('never touches a meeting', () => {
    const busy = [
      { start: at('2026-03-26T09:15:00Z'), end: at('2026-03-26T10:00:00Z') },
      { start: at('2026-03-26T10:29:00Z'), end: at('2026-03-26T17:00:00Z') },
    ]
    expect(freeSlot(at('2026-03-26T09:00:00Z'), BERLIN, busy).start.toISOString()).toBe(
      '2026-03-27T08:00:00.000Z',
    )
    expect(freeSlot(at('2026-03-26T09:00:00Z'), BERLIN, busy.slice(0, 1))).toEqual({
      start: at('2026-03-26T10:00:00Z'),
      end: at('2026-03-26T10:30:00Z'),
    })
  })

  it('leaps over the weekend, and reads like a date', () => {
    const busy = [{ start: at('2026-03-27T15:00:00Z'), end: at('2026-03-30T07:30:00Z') }]
    const slot = freeSlot(at('2026-03-27T15:30:00Z'), BERLIN, busy)
    expect(slot.start.toISOString()).toBe('2026-03-30T07:30:00.000Z')
    expect(slotWords(slot, BERLIN)).toBe('Monday 30 March at 09:30')
  })
})
