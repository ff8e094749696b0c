import { parseMail } from '../mail/parse.ts'
import { type Arrival, incomingMail, type IncomingMail, type Place } from './ingest-mail.ts'

/** A raw mail to be read. */
export type MailToRead = { raw: Buffer; arrival: Arrival }
/** What a mail says, or why it cannot be read. */
export type MailRead = { mail: IncomingMail } | { fault: string }

/** Mails on their way to another thread: their bytes one after the other. */
export type Batch = {
  bytes: Uint8Array<ArrayBuffer>
  mails: { length: number; arrival: Arrival }[]
  place: Place
}

const MAX_FAULT_CHARS = 500
/** Stands for a mail's bytes where the other thread has them already. */
const NO_BYTES = Buffer.alloc(0)

/** Reads one mail. Never throws. */
export async function readMail({ raw, arrival }: MailToRead, place: Place): Promise<MailRead> {
  try {
    return { mail: incomingMail(await parseMail(raw), raw, place, arrival) }
  } catch (error) {
    return {
      fault: error instanceof Error ? error.message.slice(0, MAX_FAULT_CHARS) : 'This mail cannot be read.',
    }
  }
}

/** Packs mails for another thread. The bytes are copied: they are here still if that thread dies of them. */
export function pack(mails: readonly MailToRead[], place: Place): Batch {
  const bytes = new Uint8Array(mails.reduce((sum, { raw }) => sum + raw.length, 0))
  let at = 0
  for (const { raw } of mails) {
    bytes.set(raw, at)
    at += raw.length
  }
  return { bytes, mails: mails.map(({ raw, arrival }) => ({ length: raw.length, arrival })), place }
}

/** Reads packed mails, in the other thread; their bytes are not sent back. */
export async function readAll({ bytes, mails, place }: Batch): Promise<MailRead[]> {
  const all: MailRead[] = []
  let at = 0
  for (const { length, arrival } of mails) {
    const read = await readMail({ raw: Buffer.from(bytes.buffer, at, length), arrival }, place)
    if ('mail' in read && read.mail.body !== null) read.mail.body.raw = NO_BYTES
    all.push(read)
    at += length
  }
  return all
}

/** Gives the mails that another thread has read their bytes again. */
export function unpack(mails: readonly MailToRead[], read: readonly MailRead[]): MailRead[] {
  return mails.map(({ raw }, index) => {
    const found = read[index] ?? { fault: 'This mail cannot be read.' }
    if ('mail' in found && found.mail.body !== null) found.mail.body.raw = raw
    return found
  })
}
