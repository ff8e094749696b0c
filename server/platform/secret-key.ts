import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The secret key: from the settings, or made once and kept in DATA_DIR (mode 600). It lies outside the database, so
 * that a stolen dump opens no mailbox.
 */
export async function secretKey(given: string | null, dataDir: string): Promise<string> {
  if (given !== null) return given
  const file = path.join(dataDir, 'secret-key')
  // Others may pass through but not list it: when started as root, the embedded PostgreSQL runs under another
  // account.
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  try {
    await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await chmod(file, 0o600)
  }
  return (await readFile(file, 'utf8')).trim()
}
