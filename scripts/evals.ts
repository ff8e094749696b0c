import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

// `npm run evals -- --min 90` fails where fewer than 90 percent of all cases are right.

const { values } = parseArgs({ options: { min: { type: 'string', default: '0' } } })
const min = Number(values.min)
if (!(min >= 0 && min <= 100)) throw new Error('--min is a percentage from 0 to 100')
spawn(
  'vitest',
  ['run', '--project', 'integration', 'tests/evals/evals.test.ts', '--disableConsoleIntercept'],
  {
    stdio: 'inherit',
    env: { ...process.env, EVALS_MIN: String(min) },
  },
).on('exit', (code) => {
  process.exitCode = code ?? 1
})
