import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Blobs } from './gateways/blobs.ts'
import type { LanguageModel } from './gateways/language-model.ts'
import type { Oauth } from './gateways/oauth.ts'
import type { LiveEvents } from './http/events.ts'
import type { Delivery } from './jobs/delivery.ts'
import type { ProcessMemory } from './process-memory.ts'
import type { DialGuard } from './security/addresses.ts'
import type { SecretBox } from './security/secret-box.ts'
import type { Database } from './database/handles.ts'

/** What commands receive: everything they may use of the outside world. */
export type Context = {
  config: Config
  db: Database
  live: LiveEvents
  /** Decides which hosts a user's settings may make us dial. */
  guard: DialGuard
  /** The same for the addresses of users' own language models. */
  modelGuard: DialGuard
  /** Where the practice server listens; null before it does. */
  practice: { port: number } | null
  /** The house's model. Work for a user asks `modelFor` of language-models instead. */
  model: LanguageModel
  oauth: Oauth
  blobs: Blobs
  /** What this process remembers between calls. */
  memory: ProcessMemory
  /** What this process keeps in memory about the emails that it sends. */
  delivery: Delivery
  clock: Clock
  log: Logger
  secrets: SecretBox
  /** This process's name in the workers table and on the rows it has claimed. */
  workerId: string
  /** Aborted when the process is asked to stop: long work ends at its next safe point. */
  stopping: AbortSignal
}
