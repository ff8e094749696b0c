import { contactImports } from '#contract/crm/contact-imports.ts'
import { contacts, IMPORT_MAX_BYTES } from '#contract/crm/contacts.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import type { FastifyRequest } from 'fastify'
import type { ImportResult } from '#contract/crm/contacts.ts'
import type { Context } from '../../platform/context.ts'
import { hangUp } from '../../platform/http/hang-up.ts'
import { origin } from '../../platform/http/origin.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { withUploadedFile } from '../../platform/http/uploaded-file.ts'
import { exportRefused } from './export-refused.ts'
import { getImport, presentImport, presentSummary, recentImports } from './find-import.ts'
import { importContacts, tooLarge } from './import-contacts.ts'
import { keepImportFile } from './keep-import-file.ts'
import { discardImport } from './purge-imports.ts'
import { checkImport, runImport } from './run-import.ts'
import { planUndo, undoImport } from './undo-import.ts'

const UPLOAD = { maxBytes: IMPORT_MAX_BYTES, tooLarge }

export function contactImportRoutes(app: Server): void {
  serve(app, contacts.import, async ({ context, user, request, reply }) =>
    withUploadedFile(request, UPLOAD, async (file) => {
      const result = await importContacts(context, user.id, file, hangUp(reply))
      return noted(context, user, request, result)
    }),
  )
  serve(app, contactImports.list, async ({ context, user }) =>
    (await recentImports(context, user.id)).map(presentSummary),
  )
  serve(app, contactImports.upload, async ({ context, user, request }) =>
    presentImport(await withUploadedFile(request, UPLOAD, (file) => keepImportFile(context, user.id, file))),
  )
  serve(app, contactImports.get, async ({ context, user, params }) =>
    presentImport(await getImport(context, user.id, params.id)),
  )
  serve(app, contactImports.check, async ({ context, user, params, body, reply }) =>
    checkImport(context, user.id, params.id, body, hangUp(reply)),
  )
  serve(app, contactImports.run, async ({ context, user, params, body, request, reply }) => {
    const result = await runImport(context, user.id, params.id, body, hangUp(reply))
    return noted(context, user, request, result)
  })
  serve(app, contactImports.refused, async ({ context, user, params, reply }) => {
    const { fileName, csv } = await exportRefused(context, user.id, params.id, hangUp(reply))
    await reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`)
      .send(csv)
    return undefined
  })
  serve(app, contactImports.undoPlan, async ({ context, user, params }) =>
    planUndo(context, user.id, params.id),
  )
  serve(app, contactImports.undo, async ({ context, user, params, request }) =>
    undoImport(context, user.id, params.id, origin(request)),
  )
  serve(app, contactImports.discard, ({ context, user, params }) =>
    done(discardImport(context, user.id, params.id)),
  )
}

/** Writes an import down, and hands its result on. */
async function noted(context: Context, user: { id: number }, request: FastifyRequest, result: ImportResult) {
  const { created, updated, skipped } = result
  const detail = `${created} added, ${updated} updated, ${skipped} skipped`
  const activity = { type: 'contacts_imported', user: user.id, origin: origin(request), detail } as const
  await noteActivity(context, context.db, activity)
  return result
}
