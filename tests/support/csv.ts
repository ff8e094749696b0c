import { contactImports } from '#contract/crm/contact-imports.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { postFile } from './post-file.ts'

type Content = string | Buffer | Blob

const fileOf = (content: Content, name: string) =>
  new File([Buffer.isBuffer(content) ? new Uint8Array(content) : content], name)

/** Imports a contact file at once. */
export const importCsv = (base: string, token: string, content: Content, name = 'contacts.csv') =>
  postFile(base, contacts.import, token, fileOf(content, name))

/** Uploads a contact file to be checked before it is imported. */
export const uploadImport = (base: string, token: string, content: Content, name = 'contacts.csv') =>
  postFile(base, contactImports.upload, token, fileOf(content, name))

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

/** Downloads the refused rows of an import; the text is without the byte order mark. */
export async function refusedCsv(base: string, token: string, id: number) {
  const response = await fetch(base + pathOf(contactImports.refused, { id }), {
    headers: { Authorization: `Bearer ${token}` },
  })
  const text = await response.text()
  return { status: response.status, text, name: response.headers.get('content-disposition') ?? '' }
}
