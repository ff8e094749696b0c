import type { ModelFailure } from '../../platform/gateways/language-model.ts'

/** What is wrong with a model server and what to do, in a sentence for its owner; the server's own words in brackets. */
export function failureSentence({ kind, status, words }: ModelFailure): string {
  if (status === 401 || status === 403) return `The server refuses the key. Check it. (${words})`
  if (status === 404 || status === 405)
    return `The server does not know this model, or the address is not that of its API. Check both. (${words})`
  if (status === 402 || status === 429)
    return `The server takes no more requests for now: too many were made, or the account has no credit. (${words})`
  if (status !== null && status >= 500)
    return `The server answered with an error. Try again later. (${words})`
  if (status !== null && status >= 400) return `The server refused the request. (${words})`
  if (kind === 'slow') return 'It took too long. A model that is still being loaded may answer the next time.'
  if (kind === 'rubbish')
    return `Its answer could not be used. Check that the address is that of an OpenAI-compatible API. (${words})`
  // The sentences of dialling say by themselves what to do.
  return words === 'No connection' ? 'The server broke off the connection. Try again.' : words
}
