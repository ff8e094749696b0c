import { makeRowWriter } from '../../../platform/database/binary-rows.ts'
import { parseMail } from '../../../formats/mail-text/parse.ts'
import {
  type Arrival,
  factsOf,
  incomingMessage,
  type IncomingMessage,
  type MailFacts,
  type FolderContext,
} from './incoming-message.ts'
import { type MailRow, mailRow, writeBodyRow, writeMailRow } from './message-rows.ts'

/** A raw message to parse. */
export type MailToParse = { raw: Buffer; arrival: Arrival }
/** A parsed message: its facts and its rows as they will be written; or why it cannot be read. */
export type ParseResult = { mail: MailFacts; row: MailRow } | { fault: string }

/** Messages on their way to a parser thread; their bytes are joined. */
export type Batch = {
  bytes: Uint8Array<ArrayBuffer>
  mails: { length: number; flags: string[]; size: number; receivedAt: number }[]
  folder: FolderContext
}

type Packed = { fault: string } | { mail: PackedFacts; mailLength: number; bodyLength: number }
type PackedFacts = Omit<MailFacts, 'occurredAt' | 'receivedAt'> & { occurredAt: number; receivedAt: number }

/**
 * Messages on their way back: the rows of each table joined, and the rest as JSON, which is faster than a structured
 * clone.
 */
export type ParsedBatch = { rows: Uint8Array<ArrayBuffer>; bodies: Uint8Array<ArrayBuffer>; mails: string }

const MAX_FAULT_CHARS = 500
/** Room for a message's row, and for its body's row beside the bytes, which it holds twice. */
const ROW_BYTES = 1024

async function parseWhole(
  { raw, arrival }: MailToParse,
  folder: FolderContext,
): Promise<{ whole: IncomingMessage } | { fault: string }> {
  try {
    return { whole: incomingMessage(await parseMail(raw), raw, folder, arrival) }
  } catch (error) {
    return {
      fault: error instanceof Error ? error.message.slice(0, MAX_FAULT_CHARS) : 'This mail cannot be read.',
    }
  }
}

/** Parses one message. Never throws. */
export async function parseOne(mail: MailToParse, folder: FolderContext): Promise<ParseResult> {
  const read = await parseWhole(mail, folder)
  return 'fault' in read ? read : { mail: factsOf(read.whole), row: mailRow(read.whole) }
}

/** Packs messages for a parser thread. The bytes are copied, so they are still here if that thread dies of them. */
export function pack(mails: readonly MailToParse[], folder: FolderContext): Batch {
  const bytes = new Uint8Array(mails.reduce((sum, { raw }) => sum + raw.length, 0))
  let at = 0
  for (const { raw } of mails) {
    bytes.set(raw, at)
    at += raw.length
  }
  return {
    bytes,
    mails: mails.map(({ raw, arrival: { flags, size, receivedAt } }) => ({
      length: raw.length,
      flags: [...flags],
      size,
      receivedAt: receivedAt.getTime(),
    })),
    folder,
  }
}

/** Parses packed messages, in the parser thread. */
export async function parseBatch({ bytes, mails, folder }: Batch): Promise<ParsedBatch> {
  const all: Packed[] = []
  const rows = makeRowWriter(mails.length * ROW_BYTES)
  const bodies = makeRowWriter(bytes.length * 2 + mails.length * ROW_BYTES)
  let at = 0
  for (const { length, flags, size, receivedAt } of mails) {
    const arrival = { flags: new Set(flags), size, receivedAt: new Date(receivedAt) }
    const read = await parseWhole({ raw: Buffer.from(bytes.buffer, at, length), arrival }, folder)
    at += length
    if ('fault' in read) {
      all.push(read)
      continue
    }
    const { whole } = read
    const [mailStart, bodyStart] = [rows.length, bodies.length]
    writeMailRow(rows, whole)
    if (whole.body !== null) writeBodyRow(bodies, whole.body)
    const facts = factsOf(whole)
    all.push({
      mail: { ...facts, occurredAt: facts.occurredAt.getTime(), receivedAt: facts.receivedAt.getTime() },
      mailLength: rows.length - mailStart,
      bodyLength: bodies.length - bodyStart,
    })
  }
  return { rows: rows.take(), bodies: bodies.take(), mails: JSON.stringify(all) }
}

/** Splits a parser thread's answer into messages again. */
export function unpack({ rows, bodies, mails }: ParsedBatch): ParseResult[] {
  let [mailAt, bodyAt] = [0, 0]
  return (JSON.parse(mails) as Packed[]).map((packed) => {
    if ('fault' in packed) return packed
    const { mail, mailLength, bodyLength } = packed
    const row = {
      mail: rows.subarray(mailAt, mailAt + mailLength),
      body: bodyLength === 0 ? null : bodies.subarray(bodyAt, bodyAt + bodyLength),
    }
    mailAt += mailLength
    bodyAt += bodyLength
    const times = { occurredAt: new Date(mail.occurredAt), receivedAt: new Date(mail.receivedAt) }
    return { mail: { ...mail, ...times }, row }
  })
}
