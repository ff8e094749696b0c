import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { OUTSIDE_SERVERS } from './outside-servers.mjs'
import { serverFolder } from './postgres-15.ts'

const PORT = 6432

/**
 * Starts PgBouncer in front of the PostgreSQL of a URL with a unix socket.
 *
 * @param settings such as `{ pool_mode: 'transaction' }`
 */
export async function startPgBouncer(
  url: string,
  settings: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const { folder, account } = await serverFolder()
  const at = (name: string) => path.join(folder, name)
  const { searchParams, pathname } = new URL(url)
  await writeFile(at('users.txt'), '"howl" ""\n')
  const lines = Object.entries({
    unix_socket_dir: folder,
    listen_port: String(PORT),
    auth_type: 'trust',
    auth_file: at('users.txt'),
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  await writeFile(
    at('pgbouncer.ini'),
    ['[databases]', `* = host=${searchParams.get('host')} user=howl`, '[pgbouncer]', ...lines, ''].join('\n'),
  )
  const child = account.spawn(OUTSIDE_SERVERS.pgbouncer, [at('pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr as Readable })) {
    said.push(line)
    if (line.includes('process up')) break
  }
  if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${said.join('\n')}`)
  child.stderr?.resume()
  return {
    url: `postgres://howl@localhost:${PORT}${pathname}?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
