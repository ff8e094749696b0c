import type { FastifyReply, FastifyRequest } from 'fastify'
import { Temporal } from 'temporal-polyfill'
import { contacts, IMPORT_MAX_BYTES } from '#contract/contacts.ts'
import { invalidInput, Refusal } from '../http/errors.ts'
import { serve } from '../http/serve.ts'
import type { Server } from '../http/server.ts'
import { exportContacts } from './export-contacts.ts'
import { cutShort, importContacts, tooLarge, type Upload } from './import-contacts.ts'
import { filterOf, pageOfContacts } from './list-contacts.ts'
import { presentContact } from './present.ts'
import { addContact, getContact, removeContact, updateContact } from './save-contact.ts'

export function contactRoutes(app: Server): void {
  serve(app, contacts.list, async ({ context, user, query }) => {
    const { rows, ...page } = await pageOfContacts(context, user, query)
    return { rows: rows.map(presentContact), ...page }
  })
  serve(app, contacts.get, async ({ context, user, params }) =>
    presentContact(await getContact(context, user.id, params.id)),
  )
  serve(app, contacts.add, async ({ context, user, body }) =>
    presentContact(await addContact(context, user.id, body)),
  )
  serve(app, contacts.update, async ({ context, user, params, body }) =>
    presentContact(await updateContact(context, user.id, params.id, body)),
  )
  serve(app, contacts.remove, async ({ context, user, params }) => {
    await removeContact(context, user.id, params.id)
    return { ok: true }
  })
  serve(app, contacts.import, async ({ context, user, request, reply }) =>
    importContacts(context, user.id, await uploadOf(request), hangUp(reply)),
  )
  serve(app, contacts.export, async ({ context, user, query, reply }) => {
    const day = Temporal.Instant.fromEpochMilliseconds(context.clock.now().getTime())
      .toZonedDateTimeISO(user.timeZone)
      .toPlainDate()
      .toString()
    const csv = exportContacts(context, user.id, filterOf(query, user.timeZone))
    await reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="contacts-${day}.csv"`)
      .send(csv)
    return undefined
  })
}

/** A multipart body is somewhat longer than the file in it. */
const ENVELOPE_BYTES = 64 * 1024

async function uploadOf(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) {
    throw new Refusal(
      415,
      'Please send the file as multipart/form-data, in a field named “file”.',
      'UNSUPPORTED_TYPE',
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > IMPORT_MAX_BYTES + ENVELOPE_BYTES) throw tooLarge()
  const part = await request
    .file({ limits: { fileSize: IMPORT_MAX_BYTES } })
    .catch(() => Promise.reject(cutShort()))
  if (part === undefined) throw invalidInput('Please choose a .csv file')
  return { name: part.filename, stream: part.file }
}

/** Aborted when the caller hangs up before the answer. */
function hangUp(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Refusal(499, 'The import was given up.'))
  })
  return controller.signal
}
