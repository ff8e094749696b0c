import type { Queryable } from '../database/connect.ts'
import { parseMail } from '../mail/parse.ts'
import { unpackRaw } from './pack-raw.ts'
import { type EmailBodyRow, findBodyRow } from './store.ts'

/** A mail's words; its HTML comes out of the mail as it came, where it lies only there. */
export async function findBody(
  db: Queryable,
  userId: number,
  emailId: number,
): Promise<EmailBodyRow | undefined> {
  const row = await findBodyRow(db, userId, emailId)
  if (row === undefined || row.raw === null || !row.html_in_raw) return row
  const { html } = await parseMail(unpackRaw(row.raw))
  return { ...row, html: html ?? null }
}
