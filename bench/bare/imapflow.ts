import { ImapFlow } from 'imapflow'

// The bare baseline of receiving: imapflow fetches every mail whole and drops it.

/** `source`: nothing but the mails. `everything`: all that a mail program needs of them. */
export type FetchedItems = 'source' | 'everything'
export type FetchOrder = {
  host: string
  port: number
  username: string
  password: string
  items: FetchedItems
}
export type Fetched = { mails: number; bytes: number; ms: number }

const { host, port, username, password, items } = JSON.parse(process.argv[2] ?? '{}') as FetchOrder

const QUERIES = {
  source: { uid: true, flags: true, source: true },
  everything: {
    uid: true,
    flags: true,
    internalDate: true,
    size: true,
    envelope: true,
    bodyStructure: true,
    source: true,
  },
}

async function fetchAll(): Promise<Fetched> {
  const begun = performance.now()
  const auth = { user: username, pass: password }
  const client = new ImapFlow({ host, port, secure: false, doSTARTTLS: false, auth, logger: false })
  client.on('error', () => {})
  await client.connect()
  await client.mailboxOpen('INBOX', { readOnly: true })
  let [mails, bytes] = [0, 0]
  for await (const { source } of client.fetch('1:*', QUERIES[items])) {
    mails += 1
    bytes += source?.length ?? 0
  }
  client.close()
  return { mails, bytes, ms: performance.now() - begun }
}

process.once('message', () => void fetchAll().then((fetched) => process.send?.(fetched)))
process.send?.({ ready: true })
