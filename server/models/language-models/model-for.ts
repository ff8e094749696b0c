import type { Context } from '../../platform/context.ts'
import { guardedFetch } from '../../platform/gateways/guarded-fetch.ts'
import {
  type LanguageModel,
  makeLanguageModel,
  type ModelConfig,
  ModelFailure,
} from '../../platform/gateways/language-model.ts'
import { countModelCalls } from '../../platform/process-memory.ts'
import { openKey } from './own-key.ts'
import { findOwnModel, type OwnModelRow } from './store.ts'

/** The model that answers for one user. Their own costs no AI request. */
export type UserModel = LanguageModel & { readonly isOwn: boolean }

/** Users' own models that a process keeps, each with its turns and its breaker. */
const KEPT_MAX = 500

const NO_MODEL = makeLanguageModel(null)
export const KEY_UNREADABLE = 'The saved key cannot be read any more. Please enter it again.'

/**
 * The only door to a language model: the one that answers for this user, their own before the house's. Without any, its
 * `available` is false. An own model that fails is not replaced by the house's: whoever entered it has chosen who reads
 * their mails.
 */
export async function modelFor(context: Context, userId: number): Promise<UserModel> {
  if (context.model === NO_MODEL) return { ...NO_MODEL, isOwn: false }
  const row = await findOwnModel(context.db, userId)
  if (row === undefined) return { ...context.model, isOwn: false }
  return { ...keptModel(context, row), isOwn: true }
}

/** For work that rules and templates do alone, whoever it is for. */
export function withoutModel(context: Context): Context {
  return { ...context, model: NO_MODEL }
}

/** The same object for every use while the settings stay, so that its turns and its breaker count. */
function keptModel(context: Context, row: OwnModelRow): LanguageModel {
  const { ownModels } = context.memory
  const madeFrom = JSON.stringify([row.base_url, row.model, row.api_key_box])
  const known = ownModels.get(row.user_id)
  const model = known?.madeFrom === madeFrom ? known.model : makeOwn(context, row)
  // The most recently used are last.
  ownModels.delete(row.user_id)
  ownModels.set(row.user_id, { madeFrom, model })
  const [oldest] = ownModels.keys()
  if (ownModels.size > KEPT_MAX && oldest !== undefined) ownModels.delete(oldest)
  return model
}

function makeOwn(context: Context, row: OwnModelRow): LanguageModel {
  let apiKey: string | null
  try {
    apiKey = openKey(context, row)
  } catch {
    return unreadable(row)
  }
  return discreet(context, { baseUrl: row.base_url, name: row.model, apiKey, ...dialledBy(context) })
}

/** How a user's own server is dialled. */
export function dialledBy(context: Pick<Context, 'modelGuard'>): { fetch: typeof fetch } {
  return { fetch: guardedFetch(context.modelGuard) }
}

function unreadable({ model: name }: OwnModelRow): LanguageModel {
  const fail = () => Promise.reject(new ModelFailure('refused', KEY_UNREADABLE))
  return { available: true, name, write: fail, converse: fail }
}

/** The model of this configuration, whose failures hold neither the key nor what the server wrote besides one line. */
function discreet({ memory }: Pick<Context, 'memory'>, config: ModelConfig): LanguageModel {
  const model = makeLanguageModel(config, { onCall: countModelCalls(memory, 'user') })
  const quietly = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw error instanceof ModelFailure ? withoutKey(error, config.apiKey) : error
    })
  const write = (request: Parameters<LanguageModel['write']>[0]) => quietly(model.write(request))
  return {
    available: true,
    name: config.name,
    write: write as LanguageModel['write'],
    converse: (request, onText) => quietly(model.converse(request, onText)),
  }
}

/** A failure fit to log: a server may repeat the key, or the mail that it was shown, in its answer. */
export function withoutKey(failure: ModelFailure, key: string | null): ModelFailure {
  const words = key === null ? failure.words : failure.words.replaceAll(key, '…')
  return new ModelFailure(failure.kind, words, { statusCode: failure.status, waitMs: failure.waitMs })
}
