export type Mailbox = { name: string; address: string }

/** The parts of a line of recipients: `ann@x.org, "Berg, Bea" <bea@y.org>; cy@z.org`. */
export function recipientsOf(line: string): string[] {
  const found: string[] = []
  let from = 0
  const end = (to: number) => {
    const one = line.slice(from, to).trim()
    if (one !== '') found.push(one)
    from = to + 1
  }
  for (const at of unquoted(line, ',;\n')) end(at)
  end(line.length)
  return found
}

/** The name and the address of one recipient; the name may be empty. */
export function mailboxOf(recipient: string): Mailbox {
  const one = recipient.trim()
  const open = unquoted(one, '<').at(-1)
  if (open === undefined || !one.endsWith('>')) return { name: '', address: one }
  const name = one.slice(0, open).trim()
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"')
  return {
    name: isQuoted ? name.slice(1, -1).replaceAll(/\\([^])/g, '$1') : name,
    address: one.slice(open + 1, -1).trim(),
  }
}

/** Where these characters are, except within quotes; a backslash there escapes a character. */
function unquoted(text: string, chars: string): number[] {
  const found: number[] = []
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (isQuoted && char === '\\') at += 1
    else if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && chars.includes(char)) found.push(at)
  }
  return found
}
