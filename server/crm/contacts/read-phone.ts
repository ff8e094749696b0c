import { findUser } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import { phoneCountry, phoneReader } from '../../formats/contact-files/phone-number.ts'

/** The fields of a contact with its phone number in international form, read as one of the user's country. */
export async function readPhone<F extends { phone?: string }>(
  context: Context,
  userId: number,
  fields: F,
): Promise<F> {
  if (fields.phone === undefined || fields.phone === '') return fields
  const user = await findUser(context.db, userId)
  const read = await phoneReader(user === undefined ? undefined : phoneCountry(user))
  return { ...fields, phone: read(fields.phone) }
}
