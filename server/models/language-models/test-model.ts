import type * as z from 'zod/mini'
import {
  MODEL_TEST_SECONDS,
  MODELS_MAX,
  type ModelTest,
  type ownModelInput,
} from '#contract/models/own-model.ts'
import type { Context } from '../../platform/context.ts'
import { ModelFailure } from '../../platform/gateways/language-model.ts'
import {
  listModels,
  type ModelProbes,
  probeModel,
  type ProbeOutcome,
} from '../../platform/gateways/model-probe.ts'
import { failureSentence } from './failure-sentence.ts'
import { dialledBy, withoutKey } from './model-for.ts'
import { keyFor } from './own-key.ts'
import { findOwnModel } from './store.ts'

/** A list is there at once, or the server is not fit to choose from. */
const LIST_MS = 10_000
/** A program on this machine answers at once, or is not there. */
const FIND_MS = 1500

type Input = z.output<typeof ownModelInput>

/** What a model can do, each with a sentence. The saved key is used only at the address that it was saved for. */
export async function testModel(context: Context, userId: number, input: Input): Promise<ModelTest> {
  const apiKey = keyFor(context, await findOwnModel(context.db, userId), input)
  const config = { baseUrl: input.base_url, name: input.model, apiKey, ...dialledBy(context) }
  const probes = await probeModel(config, MODEL_TEST_SECONDS * 1000)
  const detailOf = (probe: ProbeOutcome | null, words: { yes: string; no: string }): [boolean, string] => {
    if (probe === null) return [false, 'Not tried, as it did not answer.']
    if (probe.ok) return [true, words.yes]
    if (probe.instead instanceof ModelFailure)
      return [false, failureSentence(withoutKey(probe.instead, apiKey))]
    return [false, words.no]
  }
  const check = (name: ModelTest['checks'][number]['name'], [ok, detail]: [boolean, string]) => ({
    name,
    ok,
    detail,
  })
  return {
    checks: [
      check('answers', detailOf(probes.answers, { yes: 'It answers.', no: '' })),
      check('streams', detailOf(probes.streams, { yes: streamsWords(probes), no: AT_ONCE })),
      check('calls_tools', detailOf(probes.callsTools, { yes: 'It calls tools by itself.', no: NO_TOOLS })),
      check(
        'keeps_to_json',
        detailOf(probes.keepsToJson, { yes: 'It keeps to the asked form.', no: NO_JSON }),
      ),
    ],
    first_words_ms: probes.firstWordsMs,
  }
}

const AT_ONCE = 'Its whole answer comes at once, so you see nothing of it before.'
const NO_TOOLS =
  'It did not call a tool when it was asked to. Wolfy may look up less, and propose less, than with another model.'
const NO_JSON =
  'It did not keep to the asked form. Replies, follow-ups and bulk mails then often come from the template.'

function streamsWords({ firstWordsMs }: ModelProbes): string {
  const seconds = ((firstWordsMs ?? 0) / 1000).toFixed(1)
  return `Its answer comes word by word; the first words took ${seconds} s.`
}

/** The models of a server, to choose from; an empty list says why. */
export async function modelsOf(
  context: Context,
  userId: number,
  input: Pick<Input, 'base_url' | 'api_key'>,
): Promise<{ models: string[]; detail: string | null }> {
  const apiKey = keyFor(context, await findOwnModel(context.db, userId), input)
  try {
    const models = await listModels(
      { baseUrl: input.base_url, apiKey, ...dialledBy(context) },
      { max: MODELS_MAX, signal: AbortSignal.timeout(LIST_MS) },
    )
    return { models, detail: models.length === 0 ? 'The server has no models yet.' : null }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    return { models: [], detail: failureSentence(withoutKey(error, apiKey)) }
  }
}

/** The model servers beside Howl that answer and have models; none where Howl serves other machines. */
export async function findServers(
  context: Context,
): Promise<{ name: string; base_url: string; models: string[] }[]> {
  const found = await Promise.all(
    context.config.ownModels.beside.map(async ({ name, baseUrl }) => {
      const models = await listModels(
        { baseUrl, apiKey: null, ...dialledBy(context) },
        { max: MODELS_MAX, signal: AbortSignal.timeout(FIND_MS) },
      ).catch((error: unknown) => {
        if (error instanceof ModelFailure) return []
        throw error
      })
      return { name, base_url: baseUrl, models }
    }),
  )
  return found.filter(({ models }) => models.length > 0)
}
