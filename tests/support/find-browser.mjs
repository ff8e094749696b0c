// Plain JavaScript: scripts/prepare.mjs runs it on the machine's own Node, Playwright's configuration on ours.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ executablePath: string, args: string[] }} Browser what Playwright's `launch` takes */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** Where the browser from the npm package unpacks itself; nobody else may write there, as they may in /tmp. */
const UNPACKED = fileURLToPath(new URL('../../.cache/browser', import.meta.url))

/**
 * Finds a Chromium for the tests: CHROME_PATH, else the one inside the npm package `@sparticuz/chromium` (Linux x64),
 * else an installed one, else Playwright's. The package comes first because the lock file names its version, and because
 * it draws pages only, where an installed one draws a window with a tool bar around each.
 *
 * @returns {Promise<Browser>}
 * @throws {Error} in one sentence that says what to install.
 */
export async function findBrowser() {
  const executablePath = findChosen() ?? (await unpack()) ?? findInstalled() ?? (await findPlaywrights())
  if (executablePath === null) {
    throw new Error(
      'The end-to-end tests need a browser: install Chromium or Chrome, or set CHROME_PATH to one.',
    )
  }
  // Chromium refuses to sandbox for root, and has no /dev/shm worth the name in a container.
  return { executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [] }
}

function findChosen() {
  const chosen = process.env.CHROME_PATH ?? ''
  if (chosen === '') return null
  if (isProgram(chosen)) return chosen
  throw new Error(`CHROME_PATH names no program: ${chosen}`)
}

function findInstalled() {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)))
  return [...onPath, ...MAC].find(isProgram) ?? null
}

async function findPlaywrights() {
  try {
    const { chromium } = await import('@playwright/test')
    return isProgram(chromium.executablePath()) ? chromium.executablePath() : null
  } catch {
    return null
  }
}

/** Unpacks the browser of the npm package, with the libraries it brings where the machine lacks them. */
async function unpack() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV }
  mkdirSync(UNPACKED, { recursive: true, mode: 0o700 })
  // It unpacks into the temporary folder, and the libraries only where it believes to be on Lambda.
  process.env.TMPDIR = UNPACKED
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x'
  const libraryPath = process.env.LD_LIBRARY_PATH
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    const program = await chromium.executablePath()
    const withTheirs = process.env.LD_LIBRARY_PATH
    restore({ LD_LIBRARY_PATH: libraryPath })
    if (runs(program)) return program
    restore({ LD_LIBRARY_PATH: withTheirs })
    if (runs(program)) return program
    restore({ LD_LIBRARY_PATH: libraryPath })
    return null
  } catch {
    // Half unpacked is taken for unpacked the next time.
    rmSync(UNPACKED, { recursive: true, force: true })
    return null
  } finally {
    restore(before)
  }
}

/** @param {Record<string, string | undefined>} variables */
function restore(variables) {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

/** @param {string} program */
function runs(program) {
  return spawnSync(program, ['--no-sandbox', '--version'], { stdio: 'ignore' }).status === 0
}

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
