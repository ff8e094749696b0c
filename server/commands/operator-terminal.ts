import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Refusal } from '../platform/errors.ts'

/** Asks the operator at the terminal. @throws Refusal where there is nobody to ask */
export async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Refusal(400, 'There is no terminal to ask at.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

/** Asks for a passphrase without showing it; a new one twice. Without a terminal it is the first line of the input. */
export async function askPassphrase(isNew: boolean): Promise<string> {
  if (!process.stdin.isTTY) {
    for await (const line of createInterface({ input: process.stdin })) return line
    return ''
  }
  const first = await askHidden('Passphrase: ')
  if (isNew && (await askHidden('The same again: ')) !== first)
    throw new Refusal(400, 'The two passphrases differ. Nothing was done.')
  return first
}

async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
