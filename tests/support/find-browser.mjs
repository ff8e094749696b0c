// Plain JavaScript: scripts/prepare.mjs runs it on the machine's own Node, Playwright's configuration on ours.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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

/** Unpacks the browser of the npm package, with the libraries and the font it brings where the machine lacks them. */
async function unpack() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const { TMPDIR, AWS_EXECUTION_ENV, FONTCONFIG_PATH, LD_LIBRARY_PATH } = process.env
  mkdirSync(UNPACKED, { recursive: true, mode: 0o700 })
  // It unpacks into the temporary folder, and the libraries only where it believes to be on Lambda.
  process.env.TMPDIR = UNPACKED
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    const program = await chromium.executablePath()
    const withTheirs = process.env.LD_LIBRARY_PATH
    // Its description of fonts names folders of Lambda: text would have no font at all.
    restore({ LD_LIBRARY_PATH, FONTCONFIG_PATH: FONTCONFIG_PATH ?? findFonts() })
    if (runs(program)) return program
    restore({ LD_LIBRARY_PATH: withTheirs })
    if (runs(program)) return program
    restore({ LD_LIBRARY_PATH })
    return null
  } catch {
    restore({ LD_LIBRARY_PATH, FONTCONFIG_PATH })
    // Half unpacked is taken for unpacked the next time.
    rmSync(UNPACKED, { recursive: true, force: true })
    return null
  } finally {
    restore({ TMPDIR, AWS_EXECUTION_ENV })
  }
}

/** Where fonts are described: nowhere special on a machine that has some, else beside the one font of the package. */
function findFonts() {
  if (existsSync('/etc/fonts/fonts.conf')) return undefined
  const folder = path.join(UNPACKED, 'fonts')
  const draft = path.join(folder, `fonts.conf.${process.pid}`)
  // Moved into place whole: several processes may do this at the same time.
  writeFileSync(
    draft,
    '<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>',
  )
  renameSync(draft, path.join(folder, 'fonts.conf'))
  return folder
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
