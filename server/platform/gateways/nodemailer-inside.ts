import type { Socket } from 'node:net'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'

/**
 * What Howl uses of Nodemailer's connection although it is private there (decision 77). Nothing else uses any of it, and a unit
 * test names each part, so that an update that changes one fails there. All but the socket is from the reply to EHLO.
 */
type Inside = {
  _socket: Socket | false | null
  /** Without "250" and the server's name. */
  _ehloLines?: readonly string[]
  _supportedExtensions: readonly string[]
  /** In bytes; 0 if the server does not say. */
  _maxAllowedSize: number
}

export const inside = (connection: SMTPConnection) => connection as unknown as Inside
