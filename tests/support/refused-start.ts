import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A start that is refused ends at once; one that is not is ended. */
const PATIENCE_MS = 30_000

/** Starts Howl as `npm start` does, and waits until it has ended by itself. `said`: both outputs. */
export async function refusedStart(
  environment: Record<string, string>,
): Promise<{ code: number | string | null; said: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['server/main.ts'],
      {
        cwd: ROOT,
        timeout: PATIENCE_MS,
        env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'error', ...environment },
      },
      (error, stdout, stderr) => resolve({ code: error?.code ?? null, said: `${stdout}${stderr}`.trim() }),
    )
  })
}
