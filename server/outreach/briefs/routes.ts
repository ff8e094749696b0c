import { type Brief, BRIEF_VERSIONS_LISTED, briefs } from '#contract/outreach/briefs.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { saveBrief } from './save-brief.ts'
import { type BriefRow, newestBrief, newestBriefs } from './store.ts'

export function briefRoutes(app: Server): void {
  serve(app, briefs.get, async ({ context, user }) => {
    const row = await newestBrief(context.db, user.id)
    return row === undefined ? null : present(row)
  })
  serve(app, briefs.versions, async ({ context, user }) =>
    (await newestBriefs(context.db, user.id, BRIEF_VERSIONS_LISTED)).map(present),
  )
  serve(app, briefs.save, async ({ context, user, body }) => present(await saveBrief(context, user.id, body)))
}

function present({ version, fields, made_at: madeAt }: BriefRow): Brief {
  return { ...fields, version, made_at: madeAt.toISOString() }
}
