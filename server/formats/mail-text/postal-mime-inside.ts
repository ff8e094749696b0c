import PostalMime, { type Email } from 'postal-mime'

/**
 * What Howl uses of postal-mime's parser although it is private there (decision 77). Nothing else uses any of it, and a unit
 * test names each part, so that an update that changes one fails there.
 */

type Header = { parsed: { value: string; params: Record<string, string> } }

/** A part of a mail. */
export type MimePart = {
  contentType: Header & { multipart: string | false }
  contentDisposition: Header
  parentNode?: MimePart
  childNodes: MimePart[]
  /** Null until the whole mail is read. */
  content: ArrayBuffer | null
}

export type Decoder = { update(line: Uint8Array): void }

/** A part whose lines come next. */
type OpenPart = {
  state: 'header' | 'body' | 'finished'
  contentDecoder: Decoder | null
  decodeFlowedText: (text: string, deletesSpace: boolean) => string
}

/** The parser's state while it reads a mail, line by line, and when it is done. */
export type Inside = {
  buf: ArrayBuffer
  readPos: number
  currentNode: OpenPart
  root: MimePart & { headers: Email['headers'] }
  textContent: { html?: string; plain?: string }
  attachments: Email['attachments']
}

export const inside = (parser: PostalMime) => parser as unknown as Inside

/** The parser's own methods; {@link PostalMime.parse} calls those that a subclass has in their place. */
export const library = PostalMime.prototype as unknown as {
  readLine(): { bytes: Uint8Array; done: boolean }
  collectNode(node: MimePart, alternative: unknown, related: boolean): Promise<void>
  collectAttachment(node: MimePart, content: ArrayBuffer, related: boolean, isTooDeep: boolean): void
  isInlineTextNode(node: MimePart): boolean
  buildMessage(): Email
}

/** What a decoder makes of its lines. */
export type Encoding = 'base64' | 'quoted-printable' | 'none'

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  Base64Decoder: 'base64',
  QPDecoder: 'quoted-printable',
  PassThroughDecoder: 'none',
}

/** Undefined for a decoder that this version does not know. */
export const encodingOf = (decoder: Decoder): Encoding | undefined => ENCODINGS[decoder.constructor.name]
