import { type Template, templates } from '#contract/outreach/templates.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { checkTemplate } from './check-template.ts'
import { HOUSE_TEMPLATES } from './house-templates.ts'
import {
  addTemplate,
  duplicateTemplate,
  noTemplate,
  removeTemplate,
  restoreTemplate,
  updateTemplate,
} from './save-template.ts'
import { findTemplate, listTemplates, type TemplateRow } from './store.ts'
import { valuesFor } from './field-values.ts'
import { findWriter } from '../briefs/briefs.ts'

export function templateRoutes(app: Server): void {
  serve(app, templates.list, async ({ context, user }) =>
    (await listTemplates(context.db, user.id)).map(present),
  )
  serve(app, templates.house, async () => [...HOUSE_TEMPLATES])
  serve(app, templates.values, async ({ context, user, query }) =>
    valuesFor(context, user, query.contact_id, await findWriter(context.db, user.id)),
  )
  serve(app, templates.check, async ({ context, user, body }) =>
    checkTemplate(context, user.id, body, await findWriter(context.db, user.id)),
  )
  serve(app, templates.get, async ({ context, user, params }) => {
    const row = await findTemplate(context.db, user.id, params.id)
    if (row === undefined) throw noTemplate()
    return present(row)
  })
  serve(app, templates.add, async ({ context, user, body }) =>
    present(await addTemplate(context, user.id, body)),
  )
  serve(app, templates.update, async ({ context, user, params, body }) =>
    present(await updateTemplate(context, user.id, params.id, body)),
  )
  serve(app, templates.duplicate, async ({ context, user, params }) =>
    present(await duplicateTemplate(context, user.id, params.id)),
  )
  serve(app, templates.remove, async ({ context, user, params }) => {
    await removeTemplate(context, user.id, params.id)
    return { ok: true }
  })
  serve(app, templates.restore, async ({ context, user, params }) =>
    present(await restoreTemplate(context, user.id, params.id)),
  )
}

function present({ user_id: _, deleted_at: __, ...row }: TemplateRow): Template {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
