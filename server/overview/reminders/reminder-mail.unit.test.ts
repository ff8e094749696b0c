import { expect, test } from 'vitest'
import { reminderMail } from './reminder-mail.ts'

const meeting = {
  id: 7,
  title: 'Review',
  description: 'About bread',
  start_time: new Date('2026-03-29T00:30:00Z'),
  end_time: new Date('2026-03-29T01:30:00Z'),
  location: 'Room 3',
  meeting_link: '',
  type: 'in-person' as const,
  attendees: [{ address: 'bea@far.example' }, { address: 'cid@far.example' }],
}

test('a reminder says what, when in the user’s time, where and with whom', () => {
  const { subject, text } = reminderMail(meeting, 'Europe/Berlin', 'https://howl.example')
  expect(subject).toBe('Reminder: Review, Sunday 29 March at 01:30')
  // One hour that looks like two on the clock.
  expect(text).toBe(
    [
      'Review',
      'Sunday 29 March, 01:30 – 03:30 (Europe/Berlin)',
      'Room 3',
      'With bea@far.example, cid@far.example',
      '',
      'About bread',
      '',
      'Open it in Howl: https://howl.example/meetings?open=7',
    ].join('\n'),
  )
})

test('a reminder names the last day of a long meeting, the link of a video call, and not five hundred people', () => {
  const { text } = reminderMail(
    {
      ...meeting,
      end_time: new Date('2026-03-30T10:00:00Z'),
      type: 'video',
      location: '',
      meeting_link: 'https://zoom.us/j/1',
      attendees: Array.from({ length: 25 }, (_, at) => ({ address: `p${at}@far.example` })),
    },
    'America/New_York',
    'https://howl.example',
  )
  expect(text).toContain('Saturday 28 March, 20:30 – Monday 30 March, 06:00 (America/New York)')
  expect(text).toContain('https://zoom.us/j/1')
  expect(text).toContain('p19@far.example and 5 more')
})
