import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, instant, requiredLine } from '../platform/values.ts'

export const MODEL_URL_MAX = 500
export const MODEL_NAME_MAX = 200
export const MODEL_KEY_MAX = 1000
/** Names of models that are listed of one server. */
export const MODELS_MAX = 200
/** A test has ended after this time. */
export const MODEL_TEST_SECONDS = 30

/** What is wrong with an address as typed; null where nothing is. */
function faultOfUrl(typed: string): string | null {
  if (!/^https?:\/\//i.test(typed)) return 'Please begin the address with https:// or http://'
  if (!URL.canParse(typed)) return 'This is not an address'
  const { username, password, search, hash } = new URL(typed)
  if (username !== '' || password !== '') return 'Please put the key into its own field, not into the address'
  return search !== '' || hash !== '' ? 'Please leave out everything from ? or # on' : null
}

/** The address in the one form that is stored: with "/v1" where no path was given, and without the path of a call. */
function asBaseUrl(typed: string): string {
  if (faultOfUrl(typed) !== null) return typed
  const { origin, pathname } = new URL(typed)
  // The pattern begins only where a row of slashes does: from each of them it would read to the end of the row.
  const path = pathname.replace(/(?<!\/)\/+$/, '').replace(/\/(chat\/completions|models)$/, '')
  return `${origin}${path === '' ? '/v1' : path}`
}

const modelUrl = requiredLine(MODEL_URL_MAX, 'Please enter the address').check(
  z.check((payload) => {
    const fault = payload.value === '' ? null : faultOfUrl(payload.value)
    if (fault !== null) payload.issues.push({ code: 'custom', input: payload.value, message: fault })
  }),
  z.overwrite(asBaseUrl),
)
// One line that fits into a header.
const modelKey = z
  .string()
  .check(
    z.trim(),
    atMost(MODEL_KEY_MAX, `Please keep this under ${MODEL_KEY_MAX} characters`),
    z.regex(/^[\x21-\x7e]*$/, 'A key has only letters, digits and signs, without blanks'),
  )
const modelName = requiredLine(MODEL_NAME_MAX, 'Please choose or enter the model')

/** An empty or absent key keeps the saved one, as long as the address is the one that it was saved for. */
const server = { base_url: modelUrl, api_key: z.optional(modelKey) }

export const ownModelInput = z.object({ ...server, model: modelName })

export const modelSettings = z.object({
  /** Who answers now; `none`: rules and templates do. */
  answers: z.enum(['own', 'house', 'none']),
  /** The name of the house's model; null without one. */
  house: z.nullable(z.string()),
  /** The user's own; the key is never returned. */
  own: z.nullable(
    z.object({
      base_url: z.string(),
      model: z.string(),
      api_key_set: z.boolean(),
      saved_at: instant,
      /** Why it cannot be asked, in a sentence. */
      problem: z.nullable(z.string()),
    }),
  ),
  /** True where model servers beside Howl are looked for. */
  finds: z.boolean(),
})
export type ModelSettings = z.infer<typeof modelSettings>

export const MODEL_CHECKS = ['answers', 'streams', 'calls_tools', 'keeps_to_json'] as const

export const modelCheck = z.object({ name: z.enum(MODEL_CHECKS), ok: z.boolean(), detail: z.string() })
export const modelTest = z.object({
  checks: z.array(modelCheck),
  /** How long the first words took; null where none came. */
  first_words_ms: z.nullable(z.number()),
})
export type ModelTest = z.infer<typeof modelTest>

export const foundServer = z.object({ name: z.string(), base_url: z.string(), models: z.array(z.string()) })
export type FoundServer = z.infer<typeof foundServer>

export const ownModel = {
  get: endpoint({
    method: 'GET',
    path: '/ai-model',
    summary: 'Which language model answers for the user: their own, the house’s, or none',
    reply: modelSettings,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/ai-model',
    summary: 'Save one’s own language model; from now on it answers',
    body: ownModelInput,
    reply: modelSettings,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/ai-model',
    summary: 'Remove one’s own language model, and its key',
    reply: modelSettings,
  }),
  test: endpoint({
    method: 'POST',
    path: '/ai-model/test',
    summary: 'Try what a language model can do, with the values as typed',
    body: ownModelInput,
    reply: modelTest,
    limit: { max: 20, seconds: 300 },
  }),
  models: endpoint({
    method: 'POST',
    path: '/ai-model/models',
    summary: 'The names of the models that a server has; a POST, so that no address line holds the key',
    body: z.object(server),
    reply: z.object({ models: z.array(z.string()), detail: z.nullable(z.string()) }),
    limit: { max: 60, seconds: 300 },
  }),
  find: endpoint({
    method: 'POST',
    path: '/ai-model/find',
    summary: 'Look for model servers beside Howl, where it runs on a person’s own machine',
    reply: z.array(foundServer),
    limit: { max: 60, seconds: 300 },
  }),
}
