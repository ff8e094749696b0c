import { outreachPaths } from '../runs/outreach-tabs.ts'

/** The address of a sequence's page. */
export const sequencePath = (id: number) => `${outreachPaths.sequences}/${id}`

/** The address at which a sequence that has begun is edited. */
export const editPath = (id: number) => `${sequencePath(id)}/edit`
