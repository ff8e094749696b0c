import { askedWait } from './asked-wait.ts'
import { readUpTo } from './dial-http.ts'
import { ModelFailure, modelFailure } from './model-failure.ts'

/** Bytes of an answer that comes at once: a server that never stops is cut off. */
const ANSWER_MAX_BYTES = 1024 * 1024
/** OpenAI's name for an account without credit. */
const NO_CREDIT = 'insufficient_quota'

/**
 * An OpenAI-compatible server: base URL including "/v1", a key if one is required, the model's name. `fetch` dials a user's
 * own server by the rules for addresses that users type.
 */
export type ModelConfig = { baseUrl: string; apiKey: string | null; name: string; fetch?: typeof fetch }

/**
 * Asks a model server, by POST where there is a body.
 *
 * @param path after the base URL, as "/chat/completions"
 */
export function requestModel(
  config: Omit<ModelConfig, 'name'>,
  path: string,
  { body, accept = 'application/json', signal }: { body?: object; accept?: string; signal: AbortSignal },
): Promise<Response> {
  return (config.fetch ?? fetch)(config.baseUrl.replace(/\/+$/, '') + path, {
    headers: {
      Accept: accept,
      ...(config.apiKey === null ? {} : { Authorization: `Bearer ${config.apiKey}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    // The address was chosen by the operator or the user; nobody else may send us on.
    redirect: 'error',
    signal,
  })
}

/** The text of an answer. @throws {ModelFailure} for one that is too long */
export async function textOf({ body }: Response): Promise<string> {
  const bytes = await readUpTo(body, ANSWER_MAX_BYTES)
  if (bytes === null) throw new ModelFailure('rubbish', 'The answer was far too long')
  // Some begin with a byte order mark, which goes here.
  return new TextDecoder().decode(bytes)
}

/** What an answer that is an error means. Of its text only its message is told, or else `otherwise`. */
export function refusal({ status, headers }: Response, text: string, otherwise = ''): ModelFailure {
  const { message, code, type } = errorIn(text)
  const words =
    typeof message === 'string' ? message : otherwise || 'The language model answered with an error'
  // An account without credit gets a 429 from some providers. Unlike a rate limit, it does not pass.
  const statusCode = status === 429 && (code === NO_CREDIT || type === NO_CREDIT) ? 402 : status
  return modelFailure({ statusCode, message: words, waitMs: askedWait(headers, Date.now()) })
}

function errorIn(text: string): { message?: unknown; code?: unknown; type?: unknown } {
  try {
    const { error } = JSON.parse(text) as { error?: object | string | null }
    return typeof error === 'string' ? { message: error } : (error ?? {})
  } catch {
    // Whatever it is, it is no JSON.
    return {}
  }
}
