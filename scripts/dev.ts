// For development: the server, restarted when its files change, and Vite's pages in front of it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', join(root, 'server/main.ts')], {
  cwd: root,
  stdio: 'inherit',
})

const pages = await createServer({ configFile: join(root, 'vite.config.ts') })
await pages.listen()
pages.printUrls()

const stop = () => {
  server.kill('SIGTERM')
  void pages.close().finally(() => process.exit())
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
server.once('exit', stop)
