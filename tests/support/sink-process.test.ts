import { expect, test } from 'vitest'
import { openSmtp } from '#server/platform/gateways/smtp.ts'
import { loopbackGuard } from './mail-servers.ts'
import { startSinkProcess } from './sink-process.ts'

test('a sink in its own process counts mails and follows rules', async () => {
  const sink = await startSinkProcess()
  try {
    await sink.setRules([{ step: 'rcpt', action: { reply: '451 4.7.1 Greylisted' }, times: 1 }])
    const account = { ...sink, security: 'plain' as const, username: 'ann', password: 'any' }
    const session = await openSmtp(account, { guard: loopbackGuard })
    const envelope = { from: 'ann@example.com', to: ['bob@example.com'] }
    const raw = Buffer.from('Message-ID: <1@test>\r\n\r\nHello\r\n')
    await expect(session.send(envelope, raw)).rejects.toMatchObject({ kind: 'later', code: 451 })
    await session.send(envelope, raw)
    await session.send(envelope, raw)
    session.close()
    expect(await sink.count()).toBe(2)
    expect(await sink.byMessageId()).toEqual(new Map([['1@test', [1, 1]]]))
    expect((await sink.connections()).total).toBe(1)
    await sink.clear()
    expect(await sink.count()).toBe(0)
  } finally {
    await sink.stop()
  }
})
