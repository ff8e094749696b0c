import * as z from 'zod/v4/core'
import type { ModelTool } from '../../platform/gateways/model-conversation.ts'
import { TOOLS } from '../tools/registry.ts'
import { type Topic, TOPICS } from '../tools/tool.ts'

/** The tool that gives the tools of another topic. It is answered here: it neither reads nor proposes. */
export const MORE_TOOLS = 'more_tools'

const WORDS: Readonly<Record<Topic, RegExp>> = {
  figures:
    /\b(?:how (?:many|much)|number of|rate|figures?|numbers?|stat(?:istic)?s|overview|how(?:'s| is| are) (?:business|things)|summary)\b/i,
  contacts:
    /\b(?:contacts?|customers?|clients?|leads?|people|persons?|who|whom|phone|compan(?:y|ies)|address(?:es)?|notes?|unsubscribe)\b/i,
  mail: /\b(?:e-?mail(?:s|ed|ing)?|mail(?:s|ed|ing)?|inbox|messages?|conversations?|threads?|repl(?:y|ies|ied)|answer(?:s|ed)?|respon(?:d|ds|ded|se)|follow[- ]?ups?|write|writes|wrote|written|draft|send|sent|said|say|says|summari[sz]e)\b/i,
  calendar:
    /\b(?:meet(?:s|ings?)?|calls?|appointments?|calendar|agenda|schedule|free|available|busy|lunch|coffee|demo|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week)\b/i,
  tasks: /\b(?:tasks?|to-?dos?|remind(?:er)?s?|due|overdue|deadlines?|today|done)\b/i,
  invoices:
    /\b(?:invoic(?:e|es|ed|ing)|bills?|billed|owes?|owed|paid|pay|pays|payments?|unpaid|outstanding|overdue|revenue|money)\b/i,
}

/** What these words are about; empty where no topic can be told, as in other languages than English. */
export function topicsOf(text: string): Topic[] {
  return TOPICS.filter((topic) => WORDS[topic].test(text))
}

/** The tools of these topics, and the one that gives more; without a topic all those that read. */
export function toolsFor(topics: ReadonlySet<Topic>): ModelTool[] {
  const chosen = TOOLS.filter((tool) =>
    topics.size === 0 ? tool.kind === 'reads' : tool.topics.some((topic) => topics.has(topic)),
  )
  const missing = TOPICS.filter((topic) => !topics.has(topic))
  return [
    ...chosen.map(({ name, kind, summary, input }) => ({
      name,
      description: kind === 'reads' ? summary : `Propose: ${summary}`,
      parameters: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    })),
    ...(missing.length === 0
      ? []
      : [
          {
            name: MORE_TOOLS,
            description: 'More tools: to look up or propose something of another topic',
            parameters: {
              type: 'object',
              properties: { topic: { type: 'string', enum: missing } },
              required: ['topic'],
              additionalProperties: false,
            },
          },
        ]),
  ]
}
