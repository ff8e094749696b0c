import type { ImapFlow } from 'imapflow'

type Untagged = { attributes?: unknown[] }
type ExecOptions = { untagged?: Record<string, (untagged: Untagged) => Promise<void>> }
type Exec = (command: string, attributes: unknown, options?: ExecOptions) => Promise<unknown>

/** The answer where there is no personal namespace: no prefix, no delimiter. */
const NONE: Untagged = { attributes: [[[{ value: '' }, null]], null, null] }

/**
 * Lets imapflow read `NAMESPACE NIL NIL NIL`, which RFC 2342 allows, and an OK without any namespace: version 2.1.2
 * sets a property on a missing personal namespace, fails, and never reads on.
 */
export function acceptNoNamespace(client: ImapFlow): void {
  const opened = client as unknown as { exec: Exec }
  const exec = opened.exec.bind(client)
  opened.exec = async (command, attributes, options) => {
    const read = options?.untagged?.['NAMESPACE']
    if (command !== 'NAMESPACE' || read === undefined) return exec(command, attributes, options)
    let wasRead = false
    const readSafely = async (untagged: Untagged) => {
      wasRead = true
      const [personal] = untagged.attributes ?? []
      await read(Array.isArray(personal) && personal.length > 0 ? untagged : NONE)
    }
    const response = await exec(command, attributes, { untagged: { NAMESPACE: readSafely } })
    if (!wasRead) await read(NONE)
    return response
  }
}
