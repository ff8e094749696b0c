import type { ContactToMail } from '../../crm/contacts/contacts.ts'
import { ModelFailure, type ModelUsage } from '../../platform/gateways/language-model.ts'
import type { Written } from './write-mail.ts'

/** So many failures with no answer between them are the server's, not those of single questions. */
const FAILURES_OF_SERVER = 2

type OnUsage = (usage: ModelUsage) => void

/**
 * One round of questions to a model. A question that always fails is told from a server that is down: a server that is down,
 * or that wants a pause, is not asked for each mail.
 */
export class ModelRound {
  /** Who has failed for a passing reason and has no mail yet, and why. */
  readonly failed = new Map<ContactToMail, ModelFailure>()
  hasAnswered = false
  /** Whether a question that was asked after the last failure has been answered. */
  serverWorks = false
  #stoppedBy: ModelFailure | null = null
  #failures = 0
  #failuresInARow = 0
  readonly #write: (to: ContactToMail, onUsage: OnUsage, without: string | null) => Promise<Written>
  readonly #without: string | null

  /**
   * @param write by the model, or from the template for the reason `without`; throws the failures that pass
   * @param without why no model is asked at all; null: it is
   */
  constructor(
    write: (to: ContactToMail, onUsage: OnUsage, without: string | null) => Promise<Written>,
    without: string | null,
  ) {
    this.#write = write
    this.#without = without
  }

  /** The failure that the run waits for; null: it goes on. One that failed alone is asked again at the end of the run. */
  get waitsFor(): ModelFailure | null {
    return this.#stoppedBy ?? (this.hasAnswered ? null : ([...this.failed.values()].at(-1) ?? null))
  }

  /** The mail; null where it failed for a passing reason, or the server is left alone. */
  async ask(to: ContactToMail, onUsage: OnUsage): Promise<Written | null> {
    if (this.#stoppedBy !== null) return null
    const failuresBefore = this.#failures
    try {
      const mail = await this.#write(to, onUsage, this.#without)
      this.hasAnswered = true
      this.#failuresInARow = 0
      if (this.#failures === failuresBefore) this.serverWorks = true
      return mail
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      this.failed.set(to, error)
      this.serverWorks = false
      this.#failures += 1
      this.#failuresInARow += 1
      if (error.wantsPause || this.#failuresInARow >= FAILURES_OF_SERVER) this.#stop(error)
      return null
    }
  }

  /** Asks once more for one that failed although the server works: if it fails again, it gets the template. */
  async askAgain(to: ContactToMail, onUsage: OnUsage): Promise<Written | null> {
    if (this.#stoppedBy !== null) return null
    const mail = await this.#write(to, onUsage, null).catch((error: unknown) => {
      if (!(error instanceof ModelFailure)) throw error
      if (!error.wantsPause) return this.#write(to, onUsage, error.words)
      this.#stop(error)
      return null
    })
    if (mail !== null) this.failed.delete(to)
    return mail
  }

  /** A server that wants a pause says for how long: that counts before other failures. */
  #stop(failure: ModelFailure): void {
    if (this.#stoppedBy?.wantsPause !== true) this.#stoppedBy = failure
  }
}
