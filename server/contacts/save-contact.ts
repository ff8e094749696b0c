import type { contacts } from '#contract/contacts.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Context } from '../context.ts'
import type { Queryable } from '../database/connect.ts'
import { inTransaction, isUniqueViolation } from '../database/transaction.ts'
import { conflict, invalidInput, notFound } from '../http/errors.ts'
import {
  changeContact,
  type ContactFields,
  type ContactRow,
  deleteContact,
  findContact,
  insertContact,
} from './store.ts'
import { storableText } from './storable-text.ts'

type Added = BodyOf<typeof contacts.add>
type Changed = BodyOf<typeof contacts.update>

/** @throws Refusal 409 when the user has a contact with this address already, letter case ignored. */
export async function addContact(context: Context, userId: number, input: Added): Promise<ContactRow> {
  const fields = { ...input, ...plainFields(input) } as ContactFields
  return save(context, userId, (db, now) => insertContact(db, userId, fields, now))
}

/** Changes what `input` names and keeps the rest. @throws Refusal 404, 409. */
export async function updateContact(
  context: Context,
  userId: number,
  id: number,
  input: Changed,
): Promise<ContactRow> {
  return save(context, userId, async (db, now) => {
    if (!(await changeContact(db, userId, id, plainFields(input), now))) throw noContact()
    return id
  })
}

/** @throws Refusal 404 */
export async function removeContact(context: Context, userId: number, id: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    if (!(await deleteContact(tx, userId, id))) throw noContact()
    await context.live.publish(tx, userId, { topic: 'contacts' })
  })
}

/** @throws Refusal 404 */
export async function getContact(context: Context, userId: number, id: number): Promise<ContactRow> {
  const row = await findContact(context.db, userId, id, context.clock.now())
  if (row === undefined) throw noContact()
  return row
}

const noContact = () => notFound('This contact does not exist.')

async function save(
  context: Context,
  userId: number,
  write: (db: Queryable, now: Date) => Promise<number>,
): Promise<ContactRow> {
  const now = context.clock.now()
  try {
    return await inTransaction(context.db, async (tx) => {
      const id = await write(tx, now)
      await context.live.publish(tx, userId, { topic: 'contacts' })
      const row = await findContact(tx, userId, id, now)
      if (row === undefined) throw noContact()
      return row
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict('A contact with this email already exists.')
    throw error
  }
}

// An emptied field may come as null.
function plainFields(input: Changed): Partial<ContactFields> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const fields = Object.fromEntries(given.map(([name, value]) => [name, storableText(value ?? '')]))
  if (fields['name'] === '') {
    throw invalidInput("Please enter the contact's name", { name: "Please enter the contact's name" })
  }
  return fields
}
