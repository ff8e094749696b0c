import { expect, it } from 'vitest'
import { killInSequence } from './sequence-kill.ts'

it('a sequence of 5,000 due mails, 20 × kill -9: none lost, at most one duplicate per connection and kill', async () => {
  const { duplicates, inRounds, whileSending } = await killInSequence(
    5000,
    20,
    Number(process.env['SEED'] ?? 1),
  )
  process.stdout.write(
    `${inRounds} kills while mails were written, ${whileSending} while they were sent: 0 lost, ${duplicates} duplicates\n`,
  )
  expect(duplicates).toBeLessThanOrEqual(100)
})
