import { test } from 'vitest'
import { killSyncs } from './sync-kill.ts'

// The long form is sync-kill.long.test.ts.
test('a first sync that is killed goes on where it was: every mail is there, once, and found', () =>
  killSyncs(1200, [0.4]))
