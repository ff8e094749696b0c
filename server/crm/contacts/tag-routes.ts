import { tags } from '#contract/crm/tags.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { addTag, removeTag, updateTag } from './save-tag.ts'
import { listTags } from './tags-store.ts'

export function tagRoutes(app: Server): void {
  serve(app, tags.list, ({ context, user, query }) => listTags(context.db, user.id, query.counts === 'true'))
  serve(app, tags.add, ({ context, user, body }) => addTag(context, user.id, body))
  serve(app, tags.update, ({ context, user, params, body }) => updateTag(context, user.id, params.id, body))
  serve(app, tags.remove, async ({ context, user, params }) => {
    await removeTag(context, user.id, params.id)
    return { ok: true }
  })
}
