import { describe, expect, test } from 'vitest'
import {
  applyMove,
  applyServerFolder,
  type MailState,
  type MoveAction,
  MOVES,
  NOT_IN_TRASH,
  OWN_IS_NO_SPAM,
  type MailPosition,
  STILL_SCHEDULED,
  STILL_SENDING,
} from './folders.ts'
import type { DeliveryState, EmailFolder } from '../tables.ts'

const mail = (folder: EmailFolder, more: Partial<MailState> = {}): MailState => ({
  folder,
  original_folder: null,
  trashed_from: null,
  direction: 'in',
  delivery_state: null,
  ...more,
})

/** Applies one action after the other; one that does not apply changes nothing. */
function after(start: MailState, ...actions: MoveAction[]): MailState {
  const state = { ...start }
  for (const action of actions) {
    const outcome = applyMove(action, state)
    if (outcome !== null && 'to' in outcome) Object.assign(state, outcome.to)
  }
  return state
}
const shown = ({ folder, original_folder }: MailPosition) => [folder, original_folder]

describe('a mail that is moved away comes back to where it was', () => {
  test.each([
    ['inbox', 'in'],
    ['sent', 'out'],
    ['drafts', 'out'],
    ['spam', 'in'],
  ] as const)('from the archive and from the trash to %s', (folder, direction) => {
    const start = mail(folder, { direction })
    expect(shown(after(start, 'archive'))).toEqual(['archived', folder])
    expect(shown(after(start, 'archive', 'unarchive'))).toEqual([folder, null])
    expect(shown(after(start, 'trash'))).toEqual(['trash', folder])
    expect(shown(after(start, 'trash', 'restore'))).toEqual([folder, null])
  })

  test('from the archive to the trash when it was archived there, and then to where it was before', () => {
    const archived = after(mail('inbox'), 'trash', 'archive')
    expect(shown(archived)).toEqual(['archived', 'trash'])
    expect(shown(after(archived, 'unarchive'))).toEqual(['trash', 'inbox'])
    expect(shown(after(archived, 'unarchive', 'restore'))).toEqual(['inbox', null])
    expect(shown(after(archived, 'trash', 'restore'))).toEqual(['inbox', null])
  })

  test('to its first folder when it was moved to the trash from the archive', () => {
    const sent = mail('sent', { direction: 'out', delivery_state: 'sent' })
    expect(shown(after(sent, 'archive', 'trash'))).toEqual(['trash', 'sent'])
    expect(shown(after(sent, 'archive', 'trash', 'restore'))).toEqual(['sent', null])
  })

  test('to the inbox, or to Sent for a sent mail, when its origin is unknown', () => {
    expect(after(mail('archived'), 'unarchive').folder).toBe('inbox')
    expect(after(mail('trash'), 'restore').folder).toBe('inbox')
    expect(after(mail('trash', { direction: 'out' }), 'restore').folder).toBe('sent')
    expect(after(mail('archived', { original_folder: 'nonsense' }), 'unarchive').folder).toBe('inbox')
  })

  test('from spam to the inbox', () => {
    expect(shown(after(mail('spam'), 'not-spam'))).toEqual(['inbox', null])
    expect(shown(after(mail('inbox'), 'archive', 'spam', 'not-spam'))).toEqual(['inbox', null])
    expect(shown(after(mail('spam'), 'trash', 'restore'))).toEqual(['spam', null])
  })
})

describe('an impossible action is refused in a sentence', () => {
  test('any action on a scheduled mail, or one on its way', () => {
    for (const action of MOVES) {
      expect(applyMove(action, mail('scheduled', { direction: 'out' }))).toEqual({ refused: STILL_SCHEDULED })
      for (const state of ['queued', 'held', 'claimed', 'committed', 'deferred', 'unsure'] as DeliveryState[])
        expect(applyMove(action, mail('sent', { direction: 'out', delivery_state: state }))).toEqual({
          refused: STILL_SENDING,
        })
    }
  })

  test('deleting for good outside the trash, and marking a sent mail as spam', () => {
    expect(applyMove('delete', mail('inbox'))).toEqual({ refused: NOT_IN_TRASH })
    expect(applyMove('spam', mail('sent', { direction: 'out', delivery_state: 'sent' }))).toEqual({
      refused: OWN_IS_NO_SPAM,
    })
    expect(after(mail('inbox'), 'trash', 'delete').folder).toBe('deleted')
    expect(applyMove('restore', mail('deleted'))).toBeNull()
  })
})

test('after any chain of actions and moves on the server a mail is in a valid state and keeps its origin', () => {
  const homes = ['inbox', 'sent', 'drafts', 'spam', 'trash']
  const folders = [...homes, 'archived', 'deleted']
  const server: EmailFolder[] = ['inbox', 'sent', 'drafts', 'archived', 'spam', 'trash']
  let state = 7
  const random = (below: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % below
  for (let run = 0; run < 500; run += 1) {
    const direction = run % 2 === 0 ? 'in' : 'out'
    let current = mail(direction === 'in' ? 'inbox' : 'sent', { direction })
    for (let step = 0; step < 12 && current.folder !== 'deleted'; step += 1) {
      const before = current
      if (random(3) === 0)
        current = Object.assign(
          {},
          current,
          applyServerFolder(server[random(server.length)] ?? 'inbox', current),
        )
      else current = after(current, MOVES[random(MOVES.length - 1)] ?? 'archive')
      expect(folders).toContain(current.folder)
      const away = current.folder === 'archived' || current.folder === 'trash'
      if (away) expect(homes).toContain(current.original_folder)
      else if (current.folder !== 'spam') expect(current.original_folder).toBeNull()
      // The trash is not the origin of a mail in the trash.
      if (current.folder === 'trash') expect(current.original_folder).not.toBe('trash')
      if (away && homes.slice(0, 3).includes(before.folder))
        expect(current.original_folder).toBe(before.folder)
      if (direction === 'in') expect(current.folder === 'drafts').toBe(false)
      // Applying it twice is the same as once.
      for (const action of MOVES) expect(after(current, action, action)).toEqual(after(current, action))
    }
  }
})
