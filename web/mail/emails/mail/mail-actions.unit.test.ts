import { expect, test } from 'vitest'
import type { Email } from '#contract/mail/email.ts'
import { doneMessage } from '../actions/action-messages.ts'
import { holdStill } from '../list/held-page.ts'
import { predictOutcome, countsAfter } from '../actions/predict-outcome.ts'
import { actionsFor } from './mail-actions.ts'
import { neighbourOf } from '../page/row-focus.ts'
import { pageWithPending, type OptimisticActions } from '../actions/optimistic-actions.ts'
import { rangeOf } from '../page/use-selection.ts'

const MAIL: Email = {
  id: 1,
  subject: 'Bread',
  from: 'anna@bakery.example',
  from_name: 'Anna',
  from_line: '',
  sender: 'Anna',
  to_names: '',
  to: 'ada@muster.example',
  content: '',
  status: 'received',
  isRead: false,
  isStarred: false,
  timestamp: '2026-01-05T09:00:00.000Z',
  attachments: [],
  tags: [],
  original_folder: null,
  schedule_at: null,
  thread_id: 1,
  contact_id: null,
  intent: null,
  delivery: null,
  collapsed: 1,
  is_report: false,
  mailbox_id: null,
  undo_until: null,
}
const mails = (...ids: number[]): Email[] => ids.map((id) => ({ ...MAIL, id }))
const ids = (rows: readonly Email[]) => rows.map(({ id }) => id)

test.each([
  ['received', ['archive', 'trash', 'spam', 'read']],
  ['sent', ['archive', 'trash']],
  ['draft', ['archive', 'trash']],
  ['scheduled', []],
  ['archived', ['unarchive', 'trash', 'spam', 'read']],
  ['spam', ['not-spam', 'trash', 'archive', 'read']],
  ['trashed', ['restore', 'delete', 'archive', 'read']],
  ['deleted', []],
] as const)('what can be done with a mail that is %s', (status, actions) => {
  expect(actionsFor({ ...MAIL, status })).toEqual(actions)
})

test("the user's own mail in the archive cannot be marked as spam or unread", () => {
  expect(actionsFor({ ...MAIL, status: 'archived', original_folder: 'sent' })).toEqual(['unarchive', 'trash'])
})

const COUNTS = {
  unread_inbox: 5,
  inbox: 9,
  drafts: 1,
  archived: 2,
  trash: 3,
  spam: 4,
  sent: 6,
  scheduled: 0,
  delivered: 6,
}

test('the counts follow an action before the server answers', () => {
  expect(countsAfter(COUNTS, 'archive', [{ ...MAIL, collapsed: 3 }])).toMatchObject({
    unread_inbox: 4,
    inbox: 6,
    archived: 5,
  })
  expect(countsAfter(COUNTS, 'read', [MAIL]).unread_inbox).toBe(4)
  expect(countsAfter(COUNTS, 'read', [{ ...MAIL, isRead: true }]).unread_inbox).toBe(5)
  const trashed = predictOutcome({ ...MAIL, status: 'sent' }, 'trash')
  expect(trashed).toMatchObject({ status: 'trashed', original_folder: 'sent' })
  expect(countsAfter(COUNTS, 'restore', [trashed])).toMatchObject({ trash: 2, sent: 7, inbox: 9 })
  expect(countsAfter(COUNTS, 'delete', [trashed])).toMatchObject({ trash: 2, sent: 6 })
})

test('a pending action hides its mail in its folder only, and marks it', () => {
  const pending: OptimisticActions = new Map([
    [1, [{ notIn: 'inbox' }]],
    [2, [{ isRead: true }, { isStarred: true }]],
  ])
  const page = pageWithPending({ rows: mails(1, 2, 3), total: 30 }, pending)
  expect(ids(page.rows)).toEqual([2, 3])
  expect(page.total).toBe(29)
  expect(page.rows[0]).toMatchObject({ isRead: true, isStarred: true })
  const archive = { rows: [{ ...MAIL, status: 'archived' as const }], total: 1 }
  expect(pageWithPending(archive, pending).total).toBe(1)
})

test('a page after the first does not shift when new mail arrives', () => {
  const first = holdStill(undefined, { rows: mails(11, 12, 13), total: 20 }, true)
  const still = holdStill(first, { rows: mails(10, 11, 12), total: 21 }, true)
  expect(ids(still.page.rows)).toEqual([11, 12, 13])
  expect(still).toMatchObject({ news: true, page: { total: 21 } })
  const archived = holdStill(still, { rows: mails(10, 12, 13), total: 20 }, true)
  expect(ids(archived.page.rows)).toEqual([10, 12, 13])
  expect(archived.news).toBe(true)
  expect(ids(holdStill(first, { rows: mails(10, 11, 12), total: 21 }, false).page.rows)).toEqual([10, 11, 12])
})

test('a range goes in either direction, and is one mail without an anchor', () => {
  const rows = mails(1, 2, 3, 4)
  expect(ids(rangeOf(rows, 3, rows[0] ?? MAIL))).toEqual([1, 2, 3])
  expect(ids(rangeOf(rows, 2, rows[3] ?? MAIL))).toEqual([2, 3, 4])
  expect(ids(rangeOf(rows, 9, rows[1] ?? MAIL))).toEqual([2])
})

test('when mails disappear the next one follows, or at the end the one before', () => {
  const rows = mails(1, 2, 3, 4)
  expect(neighbourOf(rows, 2, new Set([2, 3]))?.id).toBe(4)
  expect(neighbourOf(rows, 4, new Set([4]))?.id).toBe(3)
  expect(neighbourOf(rows, 1, new Set([1, 2, 3, 4]))).toBeUndefined()
})

test('a message names the folder and the subject', () => {
  expect(doneMessage('archive', [MAIL], null)).toBe('Email archived successfully')
  expect(doneMessage('unarchive', [MAIL], 'drafts')).toBe('Email moved back to Drafts folder')
  expect(doneMessage('trash', [MAIL], null)).toBe('Email "Bread" moved to trash')
  expect(doneMessage('restore', [MAIL], 'sent')).toBe('Email "Bread" restored to Sent')
  expect(doneMessage('trash', mails(1, 2), null)).toBe('2 emails moved to trash')
  expect(doneMessage('star', [MAIL], null)).toBeNull()
})
