import type { FastifyRequest } from 'fastify'
import { ownModel } from '#contract/models/own-model.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import type { Context } from '../../platform/context.ts'
import { origin } from '../../platform/http/origin.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { logSecurity } from '../../platform/security/security-log.ts'
import { modelSettingsOf, removeOwnModel, saveOwnModel } from './save-own-model.ts'
import { findServers, modelsOf, testModel } from './test-model.ts'

export function ownModelRoutes(app: Server): void {
  serve(app, ownModel.get, ({ context, user }) => modelSettingsOf(context, user.id))
  serve(app, ownModel.save, async ({ context, user, body, request }) => {
    await saveOwnModel(context, user.id, body)
    await noteChange(context, user, request, Object.keys(body))
    return modelSettingsOf(context, user.id)
  })
  serve(app, ownModel.remove, async ({ context, user, request }) => {
    await removeOwnModel(context, user.id)
    await noteChange(context, user, request, ['removed'])
    return modelSettingsOf(context, user.id)
  })
  serve(app, ownModel.test, ({ context, user, body }) => testModel(context, user.id, body))
  serve(app, ownModel.models, ({ context, user, body }) => modelsOf(context, user.id, body))
  serve(app, ownModel.find, ({ context }) => findServers(context))
}

/** Names of fields, without their values. */
async function noteChange(
  context: Context,
  user: { id: number },
  request: FastifyRequest,
  fields: readonly string[],
): Promise<void> {
  const from = origin(request)
  logSecurity(context.log, { event: 'own_model_changed', fields }, user.id, from)
  const changed = { type: 'own_model_changed', user: user.id, origin: from } as const
  await noteActivity(context, context.db, { ...changed, detail: fields.join(', ') })
}
