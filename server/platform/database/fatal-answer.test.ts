import { expect, inject, test } from 'vitest'
import { sql } from 'kysely'
import { connect } from './connect.ts'

test('a connection that the database ends is given to nobody after the statement that it fails', async () => {
  const { db, close } = connect(inject('databaseUrl'), () => {})
  const cut = () => sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db)
  for (let time = 0; time < 20; time += 1) {
    await expect(cut()).rejects.toMatchObject({ code: '57P01' })
    expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }])
  }
  await close()
})
