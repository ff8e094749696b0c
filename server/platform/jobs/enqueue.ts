import type { PgBoss, SendOptions } from 'pg-boss'
import { runSql } from '../database/transaction.ts'
import type { JobRef } from './job-ref.ts'
import type { Queryable } from '../database/handles.ts'

export type EnqueueOptions = {
  /** While a job with this key is waiting, no other is added. */
  key?: string
  /** Not before this instant. */
  at?: Date
}

export type Jobs = {
  /** Adds a job in the transaction that causes the work: the job exists if and only if that commits. */
  enqueue<P extends object>(
    db: Queryable,
    job: JobRef<P>,
    payload: P,
    options?: EnqueueOptions,
  ): Promise<void>
  /** Adds a job that has failed before, by the name of its queue. */
  again(db: Queryable, name: string, payload: object, key: string | null): Promise<void>
}

/** The queue as commands see it. */
export function jobsOn(boss: PgBoss): Jobs {
  return {
    enqueue: async (db, job, payload, options = {}) => {
      const send: SendOptions = {
        db: { executeSql: async (text, values) => runSql(db, text, values) },
        ...(options.key === undefined ? {} : { singletonKey: options.key }),
        ...(options.at === undefined ? {} : { startAfter: options.at }),
      }
      await boss.send(job.name, payload, send)
    },
    again: async (db, name, payload, key) => {
      const send: SendOptions = {
        db: { executeSql: async (text, values) => runSql(db, text, values) },
        ...(key === null ? {} : { singletonKey: key }),
      }
      await boss.send(name, payload, send)
    },
  }
}
