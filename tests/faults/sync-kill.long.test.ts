import { test } from 'vitest'
import { killSyncs } from './sync-kill.ts'

test('a first sync that is killed twice goes on where it was: every mail is there, once, and found', () =>
  killSyncs(3000, [0.3, 0.7]))
