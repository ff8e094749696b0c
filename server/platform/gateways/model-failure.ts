import { farWords } from './far-words.ts'

/**
 * `down`: no answer, or a server error · `slow`: past the deadline · `rubbish`: a useless answer · `refused`: it
 * declines this request, or us · `budget`: no more tokens or money, the provider's or ours.
 */
export type ModelFailureKind = 'down' | 'slow' | 'rubbish' | 'refused' | 'budget'

/** No text was produced; `words` are fit to show. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly kind: ModelFailureKind
  readonly words: string
  /** The HTTP status of the answer, where there was one. */
  readonly status: number | null
  /** How long its server wants to be left alone, in milliseconds; null where it did not say. */
  readonly waitMs: number | null
  constructor(kind: ModelFailureKind, words: string, cause?: unknown) {
    super(`${kind}: ${words}`, { cause })
    this.kind = kind
    this.words = words
    const { statusCode, waitMs } = (cause ?? {}) as { statusCode?: number; waitMs?: number | null }
    this.status = statusCode ?? null
    this.waitMs = waitMs ?? null
  }

  /** Whether its server has asked to be left alone for a while. */
  get wantsPause(): boolean {
    return this.kind === 'budget' && this.status === 429
  }

  /** Whether the same question may be answered a little later, without anybody doing anything about it. */
  get isPassing(): boolean {
    return this.kind === 'down' || this.kind === 'slow' || this.wantsPause
  }
}

/** Classifies what a request came to, by the HTTP status if there is one. */
export function modelFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error
  const { statusCode: status, message = '' } = (error ?? {}) as { statusCode?: number; message?: string }
  if (status === undefined) return new ModelFailure('down', 'No connection', error)
  const words = farWords(message)
  if (status >= 500) return new ModelFailure(status === 504 ? 'slow' : 'down', words, error)
  if (status === 408) return new ModelFailure('slow', words, error)
  if (status === 402 || status === 429) return new ModelFailure('budget', words, error)
  if (status >= 400) return new ModelFailure('refused', words, error)
  // The server answered with success, but with something else.
  return new ModelFailure('rubbish', 'The answer could not be read', error)
}
