import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'

/** Where Debian, Alpine and Homebrew put it; DOVECOT_PATH overrides this. */
const PLACES = ['/usr/sbin/dovecot', '/usr/local/sbin/dovecot', '/opt/homebrew/sbin/dovecot']

/** It usually starts within 100 ms. */
const START_MS = 10_000

/** Folders that every account has from the start, with their SPECIAL-USE (RFC 6154). */
const SPECIAL = { Sent: '\\Sent', Drafts: '\\Drafts', Trash: '\\Trash', Junk: '\\Junk', Archive: '\\Archive' }

export type DovecotUser = {
  host: string
  port: number
  security: 'plain'
  username: string
  password: string
  /** The user's Maildir. */
  maildir: string
}

export type Dovecot = {
  host: string
  port: number
  /** An account, ready to be given to `openImap`. */
  user(name: string): DovecotUser
  /** Puts a mail into the folder as a local delivery does, so that IDLE sees it. `at` becomes its internal date. */
  deliver(name: string, folder: string, raw: Buffer | string, at?: Date): Promise<void>
  /** Many mails at once, in this order. */
  deliverMany(name: string, folder: string, raws: Iterable<Buffer | string>): Promise<void>
  /** Makes the folder come back with a new UIDVALIDITY. Close the sessions that have it open first. */
  resetUidValidity(name: string, folder: string): Promise<void>
  /** What Dovecot wrote into its log. */
  log(): Promise<string>
  stop(): Promise<void>
}

/** A real Dovecot on a free loopback port, with its own folder, for these users and passwords. Root or not. */
export async function startDovecot(options: {
  users: Record<string, string>
  /** Which of the usual folders every account has from the start; all of them by default. */
  folders?: readonly (keyof typeof SPECIAL)[]
  /** An OAuth issuer that is asked about each access token; the users are then named by their address. */
  issuer?: string
}): Promise<Dovecot> {
  const program = [process.env['DOVECOT_PATH'], ...PLACES].find((place) => place && existsSync(place))
  if (!program) throw new Error('These tests need Dovecot. Install it: apt-get install dovecot-imapd')
  const folder = await mkdtemp(path.join(tmpdir(), 'howl-dovecot-'))
  const port = await freePort()
  const owner = await mailOwner()
  await writeSettings(folder, port, owner, options)

  const child = spawn(program, ['-F', '-c', path.join(folder, 'dovecot.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // Dovecot also ends if the test process ends without stopping it.
  const takeAlong = () => void child.kill('SIGTERM')
  process.once('exit', takeAlong)
  const complaints: Buffer[] = []
  child.stderr?.on('data', (piece: Buffer) => complaints.push(piece))
  const log = async () => await readFile(path.join(folder, 'dovecot.log'), 'utf8').catch(() => '')
  try {
    await greeting(port, child)
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`Dovecot did not start: ${Buffer.concat(complaints).toString()}${await log()}`, {
      cause: error,
    })
  }

  const maildirOf = (name: string) => path.join(folder, 'mail', name, 'Maildir')
  const deliverMany = async (
    name: string,
    mailFolder: string,
    raws: Iterable<Buffer | string>,
    at?: Date,
  ) => {
    const place = await folderPlace(maildirOf(name), mailFolder, owner)
    for (const raw of raws) await dropIn(place, raw, owner, at)
  }
  return {
    host: '127.0.0.1',
    port,
    user(name) {
      const password = options.users[name]
      if (password === undefined) throw new Error(`No user ${name}`)
      const [host, security] = ['127.0.0.1', 'plain' as const]
      return { host, port, security, username: name, password, maildir: maildirOf(name) }
    },
    deliver: async (name, mailFolder, raw, at) => await deliverMany(name, mailFolder, [raw], at),
    deliverMany: async (name, mailFolder, raws) => await deliverMany(name, mailFolder, raws),
    async resetUidValidity(name, mailFolder) {
      const place = await folderPlace(maildirOf(name), mailFolder, owner)
      const forgotten = (await readdir(place)).filter((file) => /^dovecot[-.](uidlist|index)/.test(file))
      await Promise.all(forgotten.map((file) => rm(path.join(place, file))))
    },
    log,
    async stop() {
      process.off('exit', takeAlong)
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        const patience = setTimeout(() => child.kill('SIGKILL'), 3000)
        await exited
        clearTimeout(patience)
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

type Owner = { uid: number; gid: number; user: string; group: string }

/** Dovecot opens no mail as root. Under root the files belong to the user nobody, otherwise to the current user. */
async function mailOwner(): Promise<Owner> {
  const { uid, gid, username } = userInfo()
  const [passwords, groups] = await Promise.all([
    readFile('/etc/passwd', 'utf8'),
    readFile('/etc/group', 'utf8'),
  ])
  const nameOf = (id: number) =>
    groups
      .split('\n')
      .find((line) => line.split(':')[2] === String(id))
      ?.split(':')[0]
  if (uid !== 0) return { uid, gid, user: username, group: nameOf(gid) ?? String(gid) }
  const nobody = passwords
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':')
  if (!nobody) throw new Error('Dovecot for root needs the user "nobody"')
  const id = Number(nobody[3])
  return { uid: Number(nobody[2]), gid: id, user: 'nobody', group: nameOf(id) ?? String(id) }
}

async function writeSettings(
  folder: string,
  port: number,
  owner: Owner,
  { users, folders, issuer }: Parameters<typeof startDovecot>[0],
) {
  const mail = path.join(folder, 'mail')
  await chmod(folder, 0o755)
  await mkdir(mail)
  await chown(mail, owner.uid, owner.gid)
  const passwords = Object.entries(users).map(([name, password]) => `${name}:{PLAIN}${password}`)
  await writeFile(path.join(folder, 'users'), `${passwords.join('\n')}\n`, { mode: 0o644 })
  const special = Object.entries(SPECIAL).filter(([name]) => folders?.some((each) => each === name) ?? true)
  const mailboxes = special.map(
    ([name, use]) => `  mailbox ${name} {\n    auto = subscribe\n    special_use = ${use}\n  }`,
  )
  // Without a cache: a token that has ended or was withdrawn is refused at once.
  const introspection = `
introspection_mode = post
introspection_url = ${issuer}/introspect
username_attribute = email
active_attribute = active
active_value = true
`
  if (issuer !== undefined) await writeFile(path.join(folder, 'oauth2.conf'), introspection, { mode: 0o644 })
  const byToken = `
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/oauth2.conf
}
`
  // No chroot and no change of user anywhere, so that it runs for an ordinary user as well.
  const settings = `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
auth_mechanisms = plain login${issuer === undefined ? '' : ' xoauth2 oauthbearer'}
auth_cache_size = 0
default_internal_user = ${owner.user}
default_internal_group = ${owner.group}
default_login_user = ${owner.user}
first_valid_uid = ${owner.uid}
first_valid_gid = ${owner.gid}
mail_location = maildir:~/Maildir
mail_max_userip_connections = 200
mailbox_idle_check_interval = 1 secs
${issuer === undefined ? '' : byToken}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = scheme=plain username_format=%u ${folder}/users
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${mail}/%u allow_all_users=yes
}
namespace inbox {
  inbox = yes
  separator = /
${mailboxes.join('\n')}
}
service imap-login {
  chroot =
  service_count = 0
  process_min_avail = 1
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap {
  process_limit = 256
}
service auth-worker {
  user = ${owner.user}
}
service auth {
  user = ${owner.user}
}
service stats {
  chroot =
}
`
  await writeFile(path.join(folder, 'dovecot.conf'), settings)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until a server greets on the port. */
async function greeting(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_MS
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`)
    const greeted = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      const finish = (answer: boolean) => {
        socket.destroy()
        resolve(answer)
      }
      socket.once('data', () => finish(true)).once('error', () => finish(false))
    })
    if (greeted) return
    if (Date.now() > until) throw new Error('nobody answers on its port')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The folder's directory by Maildir++: INBOX is the Maildir, "Sent" is ".Sent", "A/B" is ".A.B". */
async function folderPlace(maildir: string, mailFolder: string, owner: Owner): Promise<string> {
  const place = mailFolder === 'INBOX' ? maildir : path.join(maildir, `.${mailFolder.replaceAll('/', '.')}`)
  for (const directory of [
    path.dirname(maildir),
    maildir,
    place,
    ...['cur', 'new', 'tmp'].map((sub) => path.join(place, sub)),
  ]) {
    if (existsSync(directory)) continue
    // Dovecot may make it at this very moment.
    await mkdir(directory, { recursive: true })
    await chown(directory, owner.uid, owner.gid)
  }
  return place
}

let deliveries = 0

/** Written under tmp/ and renamed into new/, in an order that Dovecot keeps when it assigns UIDs. */
async function dropIn(place: string, raw: Buffer | string, owner: Owner, at?: Date): Promise<void> {
  deliveries += 1
  const second = Math.floor(Date.now() / 1000)
  const name = `${second}.M${String(deliveries).padStart(9, '0')}P${process.pid}.${randomUUID().slice(0, 8)}`
  const draft = path.join(place, 'tmp', name)
  await writeFile(draft, raw)
  await chown(draft, owner.uid, owner.gid)
  if (at) await utimes(draft, at, at)
  await rename(draft, path.join(place, 'new', name))
}
