import type { contacts } from '#contract/crm/contacts.ts'
import { type NamedTag, nameOfTag } from '#contract/crm/tags.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import { findUser } from '../../accounts/auth/auth.ts'
import { phoneCountry, phoneReader } from '../../formats/contact-files/phone-number.ts'
import type { Context } from '../../platform/context.ts'
import { isUniqueViolation } from '../../platform/database/transaction.ts'
import { conflict, invalidInput, notFound } from '../../platform/errors.ts'
import { changeContact, type ContactFields, type ContactRow, findContact, insertContact } from './store.ts'
import { setTags } from './tags-store.ts'
import { namedTags } from './save-tag.ts'
import { writeIndexEntries } from './search-store.ts'
import { storableText } from '../../platform/database/storable-text.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { changing } from '../../platform/changing.ts'

type Added = BodyOf<typeof contacts.add>
type Changed = BodyOf<typeof contacts.update>

/**
 * @throws Refusal 409 when the user already has a contact with this address, ignoring case
 */
export async function addContact(context: Context, userId: number, input: Added): Promise<ContactRow> {
  const { tags, ...given } = input
  const fields = { ...given, ...(await readPhone(context, userId, plainFields(given))) } as ContactFields
  return save(context, userId, tags, (db, now) => insertContact(db, userId, fields, now))
}

/** Changes the fields given in `input` and keeps the rest. @throws Refusal 404, 409 */
export async function updateContact(
  context: Context,
  userId: number,
  id: number,
  input: Changed,
): Promise<ContactRow> {
  const { tags, ...given } = input
  const fields = await readPhone(context, userId, plainFields(given))
  return save(context, userId, tags, async (db, now) => {
    if (!(await changeContact(db, userId, id, fields, now))) throw noContact()
    return id
  })
}

/** @throws Refusal 404 */
export async function getContact(context: Context, userId: number, id: number): Promise<ContactRow> {
  const row = await findContact(context.db, userId, id, context.clock.now())
  if (row === undefined) throw noContact()
  return row
}

/** The sentence for a missing contact. */
export const noContact = () => notFound('This contact does not exist.')

async function save(
  context: Context,
  userId: number,
  tags: readonly NamedTag[] | undefined,
  write: (db: Queryable, now: Date) => Promise<number>,
): Promise<ContactRow> {
  const now = context.clock.now()
  try {
    return await changing(context, userId, 'contacts', async (tx) => {
      const id = await write(tx, now)
      if (tags !== undefined)
        await setTags(tx, userId, id, await namedTags(tx, userId, tags.map(nameOfTag), now))
      await writeIndexEntries(tx, userId, [id])
      const row = await findContact(tx, userId, id, now)
      if (row === undefined) throw noContact()
      return row
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict('A contact with this email already exists.')
    throw error
  }
}

// A cleared field may arrive as null.
function plainFields(input: Omit<Changed, 'tags'>): Partial<ContactFields> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const fields = Object.fromEntries(given.map(([name, value]) => [name, storableText(value ?? '')]))
  if (fields['name'] === '') {
    throw invalidInput("Please enter the contact's name", { name: "Please enter the contact's name" })
  }
  return fields
}

/** The fields of a contact with its phone number in international form, read as one of the user's country. */
async function readPhone<F extends { phone?: string }>(context: Context, userId: number, fields: F) {
  if (fields.phone === undefined || fields.phone === '') return fields
  const user = await findUser(context.db, userId)
  const read = await phoneReader(user === undefined ? undefined : phoneCountry(user))
  return { ...fields, phone: read(fields.phone) }
}
