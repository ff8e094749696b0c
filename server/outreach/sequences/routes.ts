import type { SequenceFigures } from '#contract/outreach/sequences.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import type { Context } from '../../platform/context.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { waitOf, waitsOfSteps } from './account-of.ts'
import { actOnMembers } from './act-on-members.ts'
import { checkSequence } from './check-sequence.ts'
import { enrolContacts, undoEnrolment } from './enrol-contacts.ts'
import { forecastSequence } from './forecast-sequence.ts'
import { endSequence, pauseSequence, startSequence } from './hold-sequence.ts'
import { listMembers } from './members-store.ts'
import { presentMember, presentSequence, presentSummary } from './present.ts'
import { createSequence, getSequence, removeSequence, updateSequence } from './save-sequence.ts'
import { sequencesOfContact } from './show-contact.ts'
import { countSequences, figuresOfSteps, listSequences, type SequenceRow } from './store.ts'

const LIST_MAX = 1000

export function sequenceRoutes(app: Server): void {
  serve(app, sequences.list, async ({ context, user, query }) => {
    const pageSize = query.page_size ?? query.limit ?? LIST_MAX
    const page = { limit: pageSize, offset: (query.page - 1) * pageSize }
    const { rows, total } = await listSequences(context.db, user.id, query.state ?? null, page)
    const counts = await countSequences(
      context.db,
      user.id,
      rows.map(({ id }) => id),
    )
    const shown = rows.flatMap((row) => {
      const counted = counts.get(row.id)
      return counted === undefined ? [] : [presentSummary(row, counted)]
    })
    return { rows: shown, total, page: query.page, pageSize }
  })
  serve(app, sequences.add, async ({ context, user, body }) =>
    present(context, await createSequence(context, user.id, body)),
  )
  serve(app, sequences.get, async ({ context, user, params }) =>
    present(context, await getSequence(context, user.id, params.id)),
  )
  serve(app, sequences.update, async ({ context, user, params, body }) =>
    present(context, await updateSequence(context, user.id, params.id, body)),
  )
  serve(app, sequences.remove, async ({ context, user, params }) => {
    await removeSequence(context, user.id, params.id)
    return { ok: true }
  })
  serve(app, sequences.check, ({ context, user, params, body }) =>
    checkSequence(context, user, params.id, body),
  )
  serve(app, sequences.forecast, ({ context, user, params, body }) =>
    forecastSequence(context, user, params.id, body.members ?? null),
  )
  serve(app, sequences.start, async ({ context, user, params }) =>
    present(context, await startSequence(context, user.id, params.id)),
  )
  serve(app, sequences.pause, async ({ context, user, params }) =>
    present(context, await pauseSequence(context, user.id, params.id)),
  )
  serve(app, sequences.end, async ({ context, user, params }) =>
    present(context, await endSequence(context, user.id, params.id)),
  )
  serve(app, sequences.figures, async ({ context, user, params }) => {
    await getSequence(context, user.id, params.id)
    const steps = await figuresOfSteps(context.db, user.id, params.id)
    const sum = (name: keyof SequenceFigures) => steps.reduce((total, step) => total + step[name], 0)
    return {
      steps,
      total: {
        sent: sum('sent'),
        replied: sum('replied'),
        positive: sum('positive'),
        bounced: sum('bounced'),
        unsubscribed: sum('unsubscribed'),
      },
    }
  })
  serve(app, sequences.members, async ({ context, user, params, query }) => {
    const sequence = await getSequence(context, user.id, params.id)
    const pageSize = query.page_size ?? query.limit ?? LIST_MAX
    const { rows, total } = await listMembers(
      context.db,
      user.id,
      params.id,
      { state: query.state ?? null, step: query.step ?? null, search: query.search ?? '' },
      { limit: pageSize, offset: (query.page - 1) * pageSize },
    )
    const waits = await waitsOfSteps(context, sequence)
    const shown = rows.map((row) => presentMember(row, waitOf(waits, row.step, sequence.steps)))
    return { rows: shown, total, page: query.page, pageSize }
  })
  serve(app, sequences.enrol, ({ context, user, params, body }) =>
    enrolContacts(context, user, params.id, body),
  )
  serve(app, sequences.undoEnrol, ({ context, user, params, body }) =>
    undoEnrolment(context, user.id, params.id, body.enrolment),
  )
  serve(app, sequences.act, ({ context, user, params, body }) =>
    actOnMembers(context, user.id, params.id, body),
  )
  serve(app, sequences.ofContact, ({ context, user, params }) =>
    sequencesOfContact(context, user.id, params.id),
  )
}

async function present(context: Context, row: SequenceRow) {
  const counts = (await countSequences(context.db, row.user_id, [row.id])).get(row.id)
  if (counts === undefined) throw new Error('A sequence was not counted')
  return presentSequence(row, counts)
}
