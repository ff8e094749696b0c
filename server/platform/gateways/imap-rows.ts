import type { FetchMessageObject, MessageAddressObject } from 'imapflow'
import { withQuotes } from '#contract/platform/local-part.ts'

/** Larger messages are not fetched whole; no provider accepts larger ones. */
export const MAX_MAIL_BYTES = 50 * 1024 * 1024

/** What the lists and the search show of a header; the raw message has all of it. */
const MAX_HEADER_LENGTH = 2_000
const MAX_ADDRESSES = 500

/** Where Exchange and Outlook.com keep the Message-ID of a sent mail that they gave another one. */
export const ORIGINAL_ID_HEADER = 'x-microsoft-original-message-id'

/** UIDs from `from` to `to`, both included; without `to`, up to the newest. */
export type UidRange = { from: number; to?: number }

export type ImapAddress = { name: string; address: string }

/** RFC 3501 ENVELOPE. Message-IDs keep their angle brackets. */
export type ImapEnvelope = {
  messageId: string | null
  inReplyTo: string | null
  subject: string
  date: Date | null
  from: ImapAddress[]
  sender: ImapAddress[]
  replyTo: ImapAddress[]
  to: ImapAddress[]
  cc: ImapAddress[]
  bcc: ImapAddress[]
}

/** `modSeq` is set only where the server has CONDSTORE. Flags are as on the wire (`\Seen`), without `\Recent`. */
export type ImapFlagRow = { uid: number; flags: Set<string>; modSeq?: string }

type Facts = ImapFlagRow & { internalDate: Date | null; size: number }

/**
 * `envelope` is null if the server's line about this message could not be parsed: put it aside and go on with the rest.
 */
export type ImapEnvelopeRow = Facts & { envelope: ImapEnvelope | null }

/**
 * `raw` is null if the message exists but the server did not hand it over: put it aside and go on with the rest. It is
 * cut at `maxBytes`, and is then shorter than `size`.
 */
export type ImapRawRow = Facts & { raw: Buffer | null }

/** A message in a Sent folder. `originalMessageId` is the header in which Exchange keeps the one that it replaced. */
export type ImapSentRow = ImapEnvelopeRow & { originalMessageId: string | null }

/** The flags in a FETCH response. */
export function flagRow(message: FetchMessageObject): ImapFlagRow {
  const flags = message.flags ?? new Set<string>()
  flags.delete('\\Recent')
  return {
    uid: message.uid,
    flags,
    ...(message.modseq === undefined ? {} : { modSeq: String(message.modseq) }),
  }
}

/** The envelope in a FETCH response, with headers cut to a bounded length. */
export function envelopeRow(message: FetchMessageObject): ImapEnvelopeRow {
  const { envelope } = message
  return {
    ...facts(message),
    envelope: envelope
      ? {
          messageId: header(envelope.messageId) || null,
          inReplyTo: header(envelope.inReplyTo) || null,
          subject: header(envelope.subject),
          date: dateOf(envelope.date),
          from: addresses(envelope.from),
          sender: addresses(envelope.sender),
          replyTo: addresses(envelope.replyTo),
          to: addresses(envelope.to),
          cc: addresses(envelope.cc),
          bcc: addresses(envelope.bcc),
        }
      : null,
  }
}

/** The envelope in a FETCH response, with the header that was asked for. */
export function sentRow(message: FetchMessageObject): ImapSentRow {
  const [, value = ''] = /^[^:]+:([^]*)$/.exec(message.headers?.toString('latin1') ?? '') ?? []
  const id = header(value.replace(/\s+/g, ''))
  return { ...envelopeRow(message), originalMessageId: id.replace(/^<|>$/g, '') || null }
}

/** The raw message in a FETCH response. */
export function rawRow(message: FetchMessageObject): ImapRawRow {
  return { ...facts(message), raw: message.source ?? null }
}

/** Stands in for a message that exists but whose line could not be parsed. */
export function unreadRow(uid: number): FetchMessageObject {
  return { seq: 0, uid }
}

/** "1:3,7,9:12" for ascending UIDs: servers limit the length of a command line. */
export function uidSet(uids: number[]): string {
  const sorted = uids.toSorted((a, b) => a - b)
  const parts: string[] = []
  for (let at = 0; at < sorted.length;) {
    const first = sorted[at] as number
    let last = first
    while (sorted[at + 1] !== undefined && (sorted[at + 1] as number) <= last + 1)
      last = sorted[(at += 1)] as number
    at += 1
    parts.push(first === last ? `${first}` : `${first}:${last}`)
  }
  return parts.join(',')
}

function facts(message: FetchMessageObject): Facts {
  return { ...flagRow(message), internalDate: dateOf(message.internalDate), size: message.size ?? 0 }
}

function header(value: string | undefined): string {
  return (value ?? '').slice(0, MAX_HEADER_LENGTH)
}

function dateOf(value: Date | string | undefined): Date | null {
  const date = typeof value === 'string' ? new Date(value) : value
  return date && !Number.isNaN(date.getTime()) ? date : null
}

function addresses(list: MessageAddressObject[] | undefined): ImapAddress[] {
  return (list ?? [])
    .slice(0, MAX_ADDRESSES)
    .map(({ name, address }) => ({ name: header(name), address: withQuotes(header(address)) }))
}
