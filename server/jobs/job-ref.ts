import type * as z from 'zod/mini'

/** What adding a job takes: its name, and what its payload looks like. */
export type JobRef<P = unknown> = {
  readonly name: string
  readonly payload: z.ZodMiniType<P>
}
