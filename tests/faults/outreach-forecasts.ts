import { Temporal } from 'temporal-polyfill'
import { expect } from 'vitest'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../support/client.ts'
import type { TestUser } from '../support/factories.ts'
import type { TestApp } from '../support/test-app.ts'
import { type Contact, mailsFor, type Sequence } from './outreach-days.ts'

type Taken = {
  day: number
  at: Date
  forecasts: ReplyOf<typeof sequences.forecast>[]
  /** Who is under way, as "place email". */
  underWay: Set<string>
}

/** What was foreseen on a day, and what came. */
export type ForecastOutcome = {
  day: number
  foreseen: number
  /** Mails that came to those who were under way, and those that they did not get because something stopped them later. */
  came: number
  stopped: number
  /** The most by which the sums of mails up to a day differ, as a part of all. */
  apart: number
  /** The last day with a mail, as it was foreseen and as it was. */
  lastForeseen: string
  lastCame: string
}

/**
 * Forecasts of all sequences on some days, and how they came true.
 *
 * A forecast is about those who are under way when it is made and supposes that nobody replies. So mails to whoever came in
 * later are not counted. And for a contact that was stopped later by whatever happened, the mails that it would still have had
 * are counted as if they had come: that many were foreseen for it. Pauses and holds only delay mails, so they are left as they
 * are: sums remain, days move.
 */
export class OutreachForecasts {
  readonly #app: TestApp
  readonly #zone: string
  readonly #taken: Taken[] = []

  constructor(app: TestApp, zone: string) {
    this.#app = app
    this.#zone = zone
  }

  /** Asks for the forecast of each sequence that runs. */
  async foresee({ id: userId, token }: TestUser, day: number, all: readonly Sequence[]): Promise<void> {
    const running = all.filter(({ isPaused }) => !isPaused)
    const forecasts: Taken['forecasts'] = []
    for (const { id } of running) {
      const answer = await call(this.#app.url, sequences.forecast, { token, params: { id }, body: {} })
      expect(answer.status).toBe(200)
      forecasts.push(answer.body)
    }
    const { rows } = await runSql(
      this.#app.context.db,
      `SELECT m.sequence_id AS sequence, c.email FROM sequence_members m
       JOIN contacts c ON c.user_id = m.user_id AND c.id = m.contact_id WHERE m.user_id = $1 AND m.is_open`,
      [userId],
    )
    const places = new Map(running.map(({ id, place }) => [id, place]))
    const underWay = (rows as { sequence: number; email: string }[]).map(
      ({ sequence, email }) => `${places.get(sequence)} ${email}`,
    )
    this.#taken.push({ day, at: this.#app.clock.now(), forecasts, underWay: new Set(underWay) })
  }

  compare(contacts: ReadonlyMap<string, Contact>, refused: ReadonlySet<string>): ForecastOutcome[] {
    return this.#taken.map((taken) => this.#compare(taken, contacts, refused))
  }

  #compare(
    { day, at, forecasts, underWay }: Taken,
    contacts: ReadonlyMap<string, Contact>,
    refused: ReadonlySet<string>,
  ): ForecastOutcome {
    const foreseenOn = new Map<string, number>()
    for (const forecast of forecasts)
      for (const each of forecast.days) foreseenOn.set(each.day, (foreseenOn.get(each.day) ?? 0) + each.mails)
    const cameOn = new Map<string, number>()
    let stopped = 0
    for (const key of underWay) {
      const [place = '', email = ''] = key.split(' ')
      const contact = contacts.get(email)
      if (contact === undefined) continue
      const mine = contact.received.filter(({ sequence }) => sequence === Number(place))
      for (const arrival of mine.filter((each) => each.at > at)) {
        const local = this.#dayOf(arrival.at)
        cameOn.set(local, (cameOn.get(local) ?? 0) + 1)
      }
      const isStopped = (contact.stoppedAt !== null && contact.stoppedAt > at) || refused.has(email)
      if (isStopped) stopped += mailsFor(contact, Number(place)).length - mine.length
    }
    const foreseen = sum(foreseenOn)
    const days = [...new Set([...foreseenOn.keys(), ...cameOn.keys()])].toSorted()
    let [apart, sofar] = [0, 0]
    for (const each of days) {
      sofar += (foreseenOn.get(each) ?? 0) - (cameOn.get(each) ?? 0)
      apart = Math.max(apart, Math.abs(sofar) / Math.max(1, foreseen))
    }
    return {
      day,
      foreseen,
      came: sum(cameOn),
      stopped,
      apart,
      lastForeseen: [...foreseenOn.keys()].toSorted().at(-1) ?? '',
      lastCame: [...cameOn.keys()].toSorted().at(-1) ?? '',
    }
  }

  #dayOf(at: Date): string {
    const instant = Temporal.Instant.fromEpochMilliseconds(at.getTime())
    return instant.toZonedDateTimeISO(this.#zone).toPlainDate().toString()
  }
}

/** By how many days two local days differ. */
export const daysBetween = (one: string, other: string): number =>
  Math.abs(Temporal.PlainDate.from(one).until(other).days)

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, each) => all + each, 0)
