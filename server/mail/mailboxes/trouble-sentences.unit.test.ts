import { expect, test } from 'vitest'
import type { EmailSettings } from '#contract/mail/mailboxes.ts'
import type { Mailbox } from './store.ts'
import type { TroubleKind } from './tables.ts'
import { accountTroubles, presentTroubles } from './trouble-sentences.ts'

const folder = (role: string, path: string, over: Partial<EmailSettings['folders'][number]> = {}) => ({
  path,
  role,
  last_read_at: null,
  behind: 0,
  quarantined: 0,
  quarantine_reason: null,
  last_error: null,
  ...over,
})
const trouble = (kind: TroubleKind, path = '') => ({
  user_id: 1,
  mailbox_id: 1,
  kind,
  path,
  email_id: null,
  reason: 'No',
  tries: 9,
  since: new Date(0),
  next_try_at: new Date(0),
})

test('what keeps emails from being read is told before drafts and copies', () => {
  const row = { read_error: null, last_error: null } as Mailbox
  const folders = [
    folder('inbox', 'INBOX', { quarantined: 2, quarantine_reason: 'Too large.' }),
    folder('archive', 'Kunden', { last_error: 'NO' }),
  ]
  const troubles = presentTroubles([trouble('draft'), trouble('sent_copy'), trouble('folders')], [])
  expect(accountTroubles(row, troubles, folders)).toEqual([
    '2 emails in INBOX could not be read yet. Too large.',
    'The folder Kunden cannot be read. NO',
    'The list of folders could not be read: No',
    'The copy of a sent email could not be stored on the server: No',
    'The draft could not be stored on the server: No',
  ])
  const unread = { read_error: 'Wait.', last_error: '535' } as Mailbox
  expect(accountTroubles(unread, troubles, folders).slice(0, 2)).toEqual(['Wait.', '535'])
})

test('what is believed only if it lasts is looked at in each pass, and told so', () => {
  const later = { next_try_at: new Date(600_000) }
  const told = (kind: TroubleKind) => presentTroubles([{ ...trouble(kind), ...later }], [])[0]?.next_try_at
  expect(['emptied', 'unlisted', 'drafts'].map((kind) => told(kind as TroubleKind))).toEqual([
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:00:00.000Z',
    '1970-01-01T00:10:00.000Z',
  ])
})
