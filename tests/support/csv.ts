import { type ContactImport, contactImports } from '#contract/crm/contact-imports.ts'
import { contacts, type ImportResult } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import type { ErrorBody } from '#contract/platform/errors.ts'

export type ImportAnswer = { status: number; body: ImportResult; error: ErrorBody }

/** Sends a CSV file as a browser's form does. */
export async function importCsv(
  base: string,
  token: string,
  content: string | Buffer | Blob,
  options: { name?: string; signal?: AbortSignal } = {},
): Promise<ImportAnswer> {
  const form = new FormData()
  form.append(
    'file',
    content instanceof Blob ? content : new Blob([new Uint8Array(Buffer.from(content))]),
    options.name ?? 'contacts.csv',
  )
  const response = await fetch(base + pathOf(contacts.import), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  const json: unknown = await response.json()
  return { status: response.status, body: json as ImportResult, error: json as ErrorBody }
}

/** Downloads the user's contacts; `text` is without the byte order mark. */
export async function exportCsv(
  base: string,
  token: string,
  query: Record<string, string> = {},
): Promise<{ text: string; bytes: Buffer; headers: Headers }> {
  const response = await fetch(`${base + pathOf(contacts.export)}?${new URLSearchParams(query).toString()}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { text: new TextDecoder().decode(bytes), bytes, headers: response.headers }
}

/** A CSV file of `count` contacts, each with an address of its own. */
export function csvOf(count: number, prefix = 'person'): string {
  const lines = Array.from(
    { length: count },
    (_, n) => `Person ${n},${prefix}${n}@many.example,Company ${n % 500},Buyer,,\n`,
  )
  return `Name,Email,Company,Position,Phone,Notes\n${lines.join('')}`
}

/** Uploads a contact file to be checked before it is imported. */
export async function uploadImport(
  base: string,
  token: string,
  content: string | Buffer | Blob,
  name = 'contacts.csv',
): Promise<{ status: number; body: ContactImport; error: ErrorBody }> {
  const form = new FormData()
  form.append(
    'file',
    content instanceof Blob ? content : new Blob([new Uint8Array(Buffer.from(content))]),
    name,
  )
  const response = await fetch(base + pathOf(contactImports.upload), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  })
  const json: unknown = await response.json()
  return { status: response.status, body: json as ContactImport, error: json as ErrorBody }
}

/** Downloads the refused rows of an import; the text is without the byte order mark. */
export async function refusedCsv(base: string, token: string, id: number) {
  const response = await fetch(base + pathOf(contactImports.refused, { id }), {
    headers: { Authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  return { status: response.status, text, name: response.headers.get('content-disposition') ?? '' }
}
