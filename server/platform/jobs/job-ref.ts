import type * as z from 'zod/mini'

/** What is needed to enqueue a job: its name and the schema of its payload. */
export type JobRef<P = unknown> = {
  readonly name: string
  readonly payload: z.ZodMiniType<P>
}
