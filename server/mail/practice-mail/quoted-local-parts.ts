import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'

type Parsed = { address: string } | false
type AddressParser = { _parseAddressCommand(name: string, command: Buffer | string): Parsed }

let isTaught = false

/** Teaches smtp-server quoted local parts (RFC 5321 4.1.2), which it does not know: it reads the command without them. */
export function readQuotedLocalParts(): void {
  if (isTaught) return
  isTaught = true
  const connection: AddressParser = SMTPConnection.prototype
  const { _parseAddressCommand: parse } = connection
  connection._parseAddressCommand = function (name, command) {
    const line = command.toString()
    const quoted = /<("(?:[^"\\]|\\.)*")@/.exec(line)?.[1]
    if (quoted === undefined) return parse.call(this, name, command)
    const parsed = parse.call(
      this,
      name,
      line.replace(quoted, () => 'quoted'),
    )
    return parsed && { ...parsed, address: parsed.address.replace('quoted', () => quoted) }
  }
}
