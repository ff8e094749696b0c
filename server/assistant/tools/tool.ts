import type * as z from 'zod/mini'
import type { ChatSource, Proposal } from '#contract/assistant/assistant.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'

/** Who asks. Every tool works on this user's rows alone. */
export type Asking = {
  context: Context
  user: { id: number; timeZone: string }
}

/** Where a fact comes from, before the answer numbers it. */
export type Source = Omit<ChatSource, 'n'>

/** One line of what a tool found: words that are safe to show, and the row that they are about. */
export type Fact = { text: string; source: Source | null }
export type Found = { facts: Fact[]; total: number }

/** Rows that a tool gives if it is not told, and at most. */
export const ROWS_USUAL = 8
export const ROWS_MAX = 20

/** What a question can be about. A language model gets the tools of these topics only: small ones get lost among many. */
export const TOPICS = ['figures', 'contacts', 'mail', 'calendar', 'tasks', 'invoices'] as const
export type Topic = (typeof TOPICS)[number]

type Schema = z.ZodMiniType<Record<string, unknown>, Record<string, unknown>>

/** Looks something up, at once. */
export type ReadingTool<S extends Schema = Schema> = {
  kind: 'reads'
  name: string
  topics: readonly Topic[]
  /** What it is for, for a language model. */
  summary: string
  input: S
  run(asking: Asking, input: z.output<S>): Promise<Found>
}

/** What an approved proposal has made. */
export type Result = NonNullable<Proposal['result']>

/**
 * Binds an effect to its proposal. Both are called in the transaction of the effect: `claim` before it, which throws
 * unless the proposal may still be approved, and `done` after it.
 */
export type Settlement = {
  claim(tx: Tx): Promise<void>
  done(tx: Tx, result: Result): Promise<void>
}

/** Proposes a change. Only `perform` changes anything, and only an approval calls it. */
export type ProposingTool<
  S extends Schema = Schema,
  C extends Record<string, unknown> = Record<string, unknown>,
> = {
  kind: 'proposes'
  name: string
  topics: readonly Topic[]
  summary: string
  input: S
  /** Fields of the input that the user may change in the card. Never those that name a person. */
  editable: readonly string[]
  /** Settles everything that is done later: recipients come from stored rows. @throws Refusal with a sentence for the user */
  prepare(asking: Asking, input: z.output<S>): Promise<C>
  summarise(content: C): string
  /** Every field of the content that matters, for people. */
  lines(content: C): Proposal['lines']
  /** @throws Refusal when it can no longer be done as it was shown */
  perform(asking: Asking, content: C, settlement: Settlement): Promise<void>
}

export type Tool = ReadingTool | ProposingTool

/** Fixes the types of a tool and forgets them: a registry holds tools of any input. */
export function readingTool<S extends Schema>(tool: Omit<ReadingTool<S>, 'kind'>): ReadingTool {
  return { kind: 'reads', ...tool } as unknown as ReadingTool
}

/** The same for a tool that proposes. */
export function proposingTool<S extends Schema, C extends Record<string, unknown>>(
  tool: Omit<ProposingTool<S, C>, 'kind'>,
): ProposingTool {
  return { kind: 'proposes', ...tool } as unknown as ProposingTool
}
