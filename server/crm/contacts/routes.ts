import { Temporal } from 'temporal-polyfill'
import { contacts } from '#contract/crm/contacts.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import { origin } from '../../platform/http/origin.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { exportContacts } from './export-contacts.ts'
import { countOfContacts, filterOf, pageOfContacts } from './list-contacts.ts'
import { removeContact, removeContacts } from './remove-contacts.ts'
import { addContact, getContact, updateContact } from './save-contact.ts'
import { tagMany, untagMany } from './tag-contacts.ts'
import { undoAct } from './undo-bulk-action.ts'
import { tags } from '#contract/crm/tags.ts'
import { addTag, removeTag, updateTag } from './save-tag.ts'
import { listTags } from './tags-store.ts'

export function contactRoutes(app: Server): void {
  serve(app, contacts.list, ({ context, user, query }) => pageOfContacts(context, user, query))
  serve(app, contacts.get, ({ context, user, params }) => getContact(context, user.id, params.id))
  serve(app, contacts.add, ({ context, user, body }) => addContact(context, user.id, body))
  serve(app, contacts.update, ({ context, user, params, body }) =>
    updateContact(context, user.id, params.id, body),
  )
  serve(app, contacts.remove, async ({ context, user, params, request }) => ({
    ok: true,
    undo_id: await removeContact(context, user, params.id, origin(request)),
  }))
  serve(app, contacts.count, async ({ context, user, query }) => ({
    total: await countOfContacts(context, user, query),
  }))
  serve(app, contacts.tagMany, ({ context, user, body }) => tagMany(context, user, body))
  serve(app, contacts.untagMany, ({ context, user, body }) => untagMany(context, user, body))
  serve(app, contacts.removeMany, ({ context, user, body, request }) =>
    removeContacts(context, user, body, origin(request)),
  )
  serve(app, contacts.undoMany, async ({ context, user, params }) => ({
    restored: await undoAct(context, user.id, params.id),
  }))
  serve(app, contacts.export, async ({ context, user, query, request, reply }) => {
    const exported = { type: 'contacts_exported', user: user.id, origin: origin(request) } as const
    await noteActivity(context, context.db, exported)
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

export function tagRoutes(app: Server): void {
  serve(app, tags.list, ({ context, user, query }) => listTags(context.db, user.id, query.counts === 'true'))
  serve(app, tags.add, ({ context, user, body }) => addTag(context, user.id, body))
  serve(app, tags.update, ({ context, user, params, body }) => updateTag(context, user.id, params.id, body))
  serve(app, tags.remove, ({ context, user, params }) => done(removeTag(context, user.id, params.id)))
}
